/*
 * A command from its client to every viewer: decide, commit, acknowledge, announce.
 *
 * Two server processes serve the same table. The database is the only thing they share; its unique keys on
 * (game, seq) and (game, command_id) decide between them. Servers crash at any point and forget what was in
 * memory; connections break and lose what was on its way; clients and viewers reconnect to any server.
 *
 * Checked: an acknowledged command is stored exactly once, a viewer sees only stored events and in order, and
 * in the end every command is acknowledged and every viewer has seen every event.
 *
 * docs/commit-model.md explains it. -DFAULT=n plants a mistake that spin must find:
 *   1 announce before commit   2 acknowledge before commit   3 no unique key on (game, seq)
 */

#ifndef FAULT
#define FAULT 0
#endif
#ifndef CRASHES
#define CRASHES 1                       /* of all servers together */
#endif
#ifndef LOSSES
#define LOSSES 1                        /* broken connections of each kind, all together */
#endif

#ifndef SEQ_KEY_ONLY
#define SEQ_KEY_ONLY 0                  /* 1: without the unique key on (game, command_id) */
#endif

#define SERVERS 2
#define COMMANDS 2                      /* one client each */
#define MOST 4                          /* events: more than commands, for mistakes */
#define NOBODY 255

/* The unique keys of the database on (game, seq) and (game, command_id). */
#define UNIQUE(seq, command) ((length == seq || FAULT == 3) && (copies[command] == 0 || SEQ_KEY_ONLY))

/* The database: what a commit has stored is never lost. */
byte length;
byte event[MOST];                       /* event[seq] is a command id */
byte copies[COMMANDS];                  /* how often a command is stored */

/* The memory of the servers. */
byte known[SERVERS];                    /* the events that a server has read */
bool crashed[SERVERS];
chan requests[SERVERS] = [COMMANDS] of { byte };

/* The clients. */
bool acknowledged[COMMANDS];
bool waiting[COMMANDS];                 /* for an answer */

/* A viewer, and its socket with what is on its way. Viewers influence nothing, so one stands for all. */
byte seen;
byte connected = NOBODY;
byte sent;
chan socket = [1] of { byte, byte };

byte crashes, losses;

/* The server has read an event of this command: a repeated command, whose first answer is sent again. */
inline is_repeated(command, repeated) {
    repeated = false;
    i = 0;
    do
    :: i < known[me] -> if :: event[i] == command -> repeated = true :: else fi; i++
    :: else -> break
    od
}

#define ANNOUNCES (connected == me && nfull(socket))

proctype server(byte me) {
    byte command, seq, i;
    bool repeated;

start:
    {
end_idle:
        do
        :: requests[me] ? command ->
decide:     skip;
            d_step { is_repeated(command, repeated); i = 0; seq = known[me] };
            if
            :: repeated -> skip
            :: else ->
#if FAULT == 1
                if
                :: atomic { ANNOUNCES && sent == seq -> socket ! seq, command; sent++ }
                :: else
                fi;
#endif
#if FAULT == 2
                d_step { acknowledged[command] = true; waiting[command] = false };
#endif
                /* One transaction. The other server may have been faster, with this command or another. */
                if
                :: atomic { UNIQUE(seq, command) ->
#if FAULT == 3
                    if :: seq < length -> copies[event[seq]]--; length-- :: else fi;
#endif
                    event[seq] = command; length++; copies[command]++;
                    assert(copies[command] == 1) };
                    known[me] = seq + 1
                :: atomic { !UNIQUE(seq, command) -> known[me] = length };
                    goto decide
                fi
            fi;
            /* The answer may be lost: then the client sends the command again. */
            if
            :: atomic { acknowledged[command] = true; waiting[command] = false }
            :: atomic { losses < LOSSES -> losses++; waiting[command] = false }
            fi;
            d_step { command = 0; seq = 0; repeated = false }
        /* A message of the bus, or the look at the database every two seconds: messages may be lost. */
        :: atomic { known[me] < length -> known[me] = length }
        :: atomic { ANNOUNCES && sent < known[me] -> socket ! sent, event[sent]; sent++ }
        od
    } unless { crashed[me] };
    atomic {
        do :: requests[me] ? command -> waiting[command] = false :: empty(requests[me]) -> break od;
        if :: connected == me -> connected = NOBODY :: else fi;
        waiting[0] = false; waiting[1] = false;  /* clients notice that a connection is closed */
        known[me] = 0; command = 0; seq = 0; i = 0; repeated = false;
        crashed[me] = false
    };
    goto start
}

/* Sends its command, again and to any server, until it is acknowledged. A time-out sends it again although a
 * server may still be working on it. */
proctype client(byte command) {
    do
    :: atomic { !acknowledged[command] && !waiting[command] && nfull(requests[0]) ->
        waiting[command] = true; requests[0] ! command }
    :: atomic { !acknowledged[command] && !waiting[command] && nfull(requests[1]) ->
        waiting[command] = true; requests[1] ! command }
    :: atomic { !acknowledged[command] && waiting[command] && losses < LOSSES ->
        losses++; waiting[command] = false }
    :: acknowledged[command] -> break
    od
}

/* A new socket: what was on its way in the old one is lost. */
inline connect(target) {
    do :: socket ? seq, command :: empty(socket) -> break od;
    seq = 0; command = 0;
    connected = target; sent = seen
}

proctype viewer() {
    byte seq, command;
end_idle:
    do
    :: atomic { socket ? seq, command ->
        assert(seq == seen);
        assert(seq < length && event[seq] == command);
        seen++; seq = 0; command = 0 }
    /* Connects to any server, with the number of events it has seen. */
    :: atomic { connected == NOBODY -> connect(0) }
    :: atomic { connected == NOBODY -> connect(1) }
    :: atomic { connected != NOBODY && losses < LOSSES -> losses++; connected = NOBODY }
    od
}

proctype power() {
    do
    :: atomic { crashes < CRASHES && !crashed[0] -> crashes++; crashed[0] = true }
    :: atomic { crashes < CRASHES && !crashed[1] -> crashes++; crashed[1] = true }
    :: crashes == CRASHES -> break
    od
}

/* An acknowledged command is stored exactly once, in every state. */
proctype monitor() {
end_idle:
    atomic {
        (acknowledged[0] && copies[0] != 1) || (acknowledged[1] && copies[1] != 1) -> assert(false)
    }
}

init {
    atomic {
        run server(0); run server(1); run client(0); run client(1); run viewer(); run power(); run monitor()
    }
}

ltl converges {
    <>[] (acknowledged[0] && acknowledged[1] && seen == length && length == COMMANDS)
}
