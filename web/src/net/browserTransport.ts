/** What the connection to a table needs of the browser: sockets, timers, chance. */
import { drawId } from "./randomIds";
import type { Client } from "./client";
import type { Ears, Line, World } from "./tableSocket";

/** For one table, seen from a chair, or with the secret of a link. */
export function browserWorld(client: Client, table: string, chair: number | null, key?: string): World {
  return {
    url: `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/socket`,
    dial,
    fetchTicket: () => client.ticket(table, chair, key),
    later: (seconds, act) => {
      const timer = setTimeout(act, seconds * 1000);
      return () => clearTimeout(timer);
    },
    now: () => performance.now() / 1000,
    random: Math.random,
    newId: drawId,
    language: () => client.language,
  };
}

function dial(url: string, ears: Ears): Line {
  const socket = new WebSocket(url);
  socket.onopen = () => ears.opened();
  socket.onmessage = (message) => ears.heard(String(message.data));
  socket.onclose = (closing) => ears.closed(closing.code);
  return { send: (text) => socket.send(text), close: () => socket.close() };
}
