/** The browser's WebSocket, timers and random numbers, for TableSocket. */
import { randomId } from "./randomIds";
import type { Client } from "./client";
import type { SocketHandlers, Socket, Transport } from "./tableSocket";

/** `chair` and `key` (the secret of a link) say as whom to connect. */
export function browserTransport(
  client: Client,
  table: string,
  chair: number | null,
  key?: string,
): Transport {
  return {
    url: `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/socket`,
    openSocket,
    fetchTicket: () => client.ticket(table, chair, key),
    schedule: (seconds, act) => {
      const timer = setTimeout(act, seconds * 1000);
      return () => clearTimeout(timer);
    },
    now: () => performance.now() / 1000,
    random: Math.random,
    newId: randomId,
    language: () => client.language,
  };
}

function openSocket(url: string, handlers: SocketHandlers): Socket {
  const socket = new WebSocket(url);
  socket.onopen = () => handlers.onOpen();
  socket.onmessage = (message) => handlers.onMessage(String(message.data));
  socket.onclose = (closing) => handlers.onClose(closing.code);
  return { send: (text) => socket.send(text), close: () => socket.close() };
}
