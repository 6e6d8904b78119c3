/* The kernel's playout written by hand in C: complete random base games with two seats.
 *
 *   cc -O3 -march=native -o ceiling benchmarks/ceiling.c
 *
 * Plays the same games as `sanssouci simulate` with two random players (docs/chance.md), in idiomatic C: squares
 * as bits, incremental search of connected squares, the n-th bit of a set in one instruction. Supports only what
 * is needed here: two seats, no rewards, no boar, no record, only the result. tuned.c is a tuned version.
 *
 * Standard input, first as text, numbers in decimal:
 *   four lines   a garden board each: the number of its sides (1 or 2), then the printed squares of each side
 *   one line     the 18 cards of the deck in ascending order
 *   one line     the number of games, and exactly one newline
 * then 16 bytes for each game: its words w0 and w1, big-endian (the first half of the game's SHA-256).
 *
 * Standard output: {"games": N, "turns": 36 * N, "seconds": s, "checksum": "16 hex digits"}. Only the games
 * are timed. The checksum is FNV-1a (64 bits) over 18 bytes per game: for each seat its total, nobles, rewards,
 * boar, rows, columns, missions, gardeners, and 1 if it won, else 0.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

typedef uint64_t Squares; /* bit 9 * (row - 1) + column */

enum { SEATS = 2, ROUNDS = 18, BOARDS = 4, COLUMNS = 9, CARDS = 18, TILES = 45, SPACES = 10 };

#define GAMMA 0x9E3779B97F4A7C15u
#define ALL (((Squares)1 << 54) - 1)
#define ROW_1 ((Squares)0x1FF)
#define COLUMN_A ((Squares)0x201008040201)
#define NOT_A (ALL & ~COLUMN_A)
#define NOT_I (ALL & ~(COLUMN_A << 8))
#define ALL_SPACES 1023u

static Squares SIDE[BOARDS][2];
static int SIDES[BOARDS];
static uint8_t DECK[CARDS];
static unsigned SPACES_OF_CARD[20]; /* two rows for a colour card, all spaces for the free choice */

typedef struct { uint8_t total, nobles, rewards, boar, rows, columns, missions, gardeners, won; } Result;
typedef struct {
    Squares built, connected, gardeners, nobles;
    unsigned hand, points;
    uint64_t stream;
} Seat;

static inline uint64_t output(uint64_t *stream) {
    uint64_t word = *stream += GAMMA;
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9u;
    word = (word ^ word >> 27) * 0x94D049BB133111EBu;
    return word ^ word >> 31;
}

static inline unsigned below(uint64_t *stream, unsigned bound) {
    uint64_t product = (output(stream) >> 32) * bound;
    if ((uint32_t)product < bound) {
        uint32_t uneven = -bound % bound;
        while ((uint32_t)product < uneven) product = (output(stream) >> 32) * bound;
    }
    return product >> 32;
}

static inline unsigned member(uint64_t set, unsigned place) {
#ifdef __BMI2__
    return __builtin_ctzll(_pdep_u64(1ULL << place, set));
#else
    while (place--) set &= set - 1;
    return __builtin_ctzll(set);
#endif
}

static inline unsigned one_of(uint64_t *stream, uint64_t set) {
    int count = __builtin_popcountll(set);
    if (count == 1) { /* a number is drawn nevertheless */
        *stream += GAMMA;
        return __builtin_ctzll(set);
    }
    return member(set, below(stream, count));
}

static inline void shuffle(uint8_t *pile, int count, uint64_t *stream) {
    for (int place = 0; place < count - 1; place++) {
        int chosen = place + below(stream, count - place);
        uint8_t top = pile[place];
        pile[place] = pile[chosen];
        pile[chosen] = top;
    }
}

static inline Squares neighbours(Squares set) {
    return (set << 9 & ALL) | set >> 9 | (set & NOT_I) << 1 | (set & NOT_A) >> 1;
}

static inline Squares stroll(Squares reached, Squares ground) {
    for (;;) {
        Squares further = (reached | neighbours(reached)) & ground;
        if (further == reached) return reached;
        reached = further;
    }
}

static inline Squares cross(unsigned square) { return ROW_1 << square / 9 * 9 | COLUMN_A << square % 9; }

static inline Squares passed(Squares nobles) {
    nobles |= nobles >> 9;
    nobles |= nobles >> 18;
    return nobles | nobles >> 36;
}

static inline unsigned takes(unsigned card, const uint8_t *display) {
    if (card >= COLUMNS) return SPACES_OF_CARD[card];
    unsigned shown = 0;
    for (int space = 0; space < SPACES; space++) shown |= (unsigned)(display[space] == card) << space;
    return shown ? shown : ALL_SPACES; /* all spaces are full in all 36 turns */
}

static inline void play_turn(Seat *seat, uint8_t *display, uint8_t refill, unsigned drawn) {
    unsigned card = one_of(&seat->stream, seat->hand);
    unsigned space = one_of(&seat->stream, takes(card, display));
    unsigned own = 9 * (1 + space / 2) + display[space], gardener = seat->built >> own & 1;
    Squares squares = 1ULL << own;
    if (gardener) {
        Squares free = ALL & ~seat->built;
        squares = free & cross(own) ? free & cross(own) : free;
    }
    unsigned square = one_of(&seat->stream, squares);
    Squares bit = 1ULL << square;
    seat->built |= bit;
    seat->gardeners |= (Squares)gardener << square;
    if (neighbours(bit) & seat->connected) seat->connected = stroll(seat->connected | bit, seat->built);
    seat->stream += GAMMA; /* the boar's number */
    Squares stops = seat->connected & ~seat->gardeners & ~passed(seat->nobles);
    unsigned count = __builtin_popcountll(stops), chosen = below(&seat->stream, count + 1);
    if (chosen < count) {
        unsigned stop = member(stops, chosen);
        seat->nobles = (seat->nobles & ~(COLUMN_A << stop % 9)) | 1ULL << stop;
        seat->points += 1 + stop / 9;
    }
    display[space] = refill;
    seat->hand = (seat->hand & ~(1u << card)) | drawn;
}

static inline Result score(const Seat *seat, const uint8_t *missions) {
    unsigned rows = 0, columns = 0, reached = 0;
    for (int row = 2; row <= 6; row++)
        if ((seat->built >> 9 * (row - 1) & ROW_1) == ROW_1) rows += 10 - row;
    for (int column = 0; column < COLUMNS; column++)
        if ((seat->built >> column & COLUMN_A) == COLUMN_A) columns += 5;
    for (int i = 0; i < 2; i++) reached += __builtin_popcountll(passed(seat->nobles) >> missions[i] & COLUMN_A);
    return (Result){
        .total = seat->points + rows + columns + reached, .nobles = seat->points, .rows = rows,
        .columns = columns, .missions = reached, .gardeners = __builtin_popcountll(seat->gardeners)};
}

static inline void play_game(uint64_t deal_key, uint64_t play_key, Result *results) {
    uint8_t boards[BOARDS] = {0, 1, 2, 3}, missions[COLUMNS] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    uint8_t decks[SEATS][CARDS], tiles[TILES + 1], display[SPACES];
    Seat seats[SEATS];
    shuffle(boards, BOARDS, &deal_key);
    for (int i = 0; i < SEATS; i++) {
        Seat *seat = &seats[i];
        *seat = (Seat){.stream = output(&play_key)};
        int side = SIDES[boards[i]] == 2 ? below(&seat->stream, 2) : 0;
        seat->built = ROW_1 | SIDE[boards[i]][side];
        seat->connected = stroll(ROW_1, seat->built);
    }
    shuffle(missions, COLUMNS, &deal_key);
    for (int i = 0; i < SEATS; i++) {
        memcpy(decks[i], DECK, CARDS);
        shuffle(decks[i], CARDS, &deal_key);
        seats[i].hand = 1u << decks[i][0] | 1u << decks[i][1];
    }
    for (int tile = 0; tile < TILES; tile++) tiles[tile] = tile / 5;
    shuffle(tiles, TILES, &deal_key);
    memcpy(display, tiles, SPACES);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < SEATS; i++) {
            unsigned drawn = round < CARDS - 2 ? 1u << decks[i][2 + round] : 0;
            int tile = SPACES + SEATS * round + i;
            play_turn(&seats[i], display, tile < TILES ? tiles[tile] : COLUMNS, drawn);
        }
    int ranks[SEATS];
    for (int i = 0; i < SEATS; i++) {
        results[i] = score(&seats[i], missions + 2 * i);
        ranks[i] = results[i].total << 8 | results[i].gardeners;
    }
    results[0].won = ranks[0] >= ranks[1];
    results[1].won = ranks[1] >= ranks[0];
}

static uint64_t number(uint64_t least, uint64_t most) {
    uint64_t value;
    if (scanf("%" SCNu64, &value) == 1 && least <= value && value <= most) return value;
    fputs("ceiling: invalid input\n", stderr);
    exit(1);
}

static void read_box(void) {
    for (int board = 0; board < BOARDS; board++) {
        SIDES[board] = number(1, 2);
        for (int side = 0; side < SIDES[board]; side++) SIDE[board][side] = number(0, ALL);
    }
    for (int i = 0; i < CARDS; i++) DECK[i] = number(0, 19);
    int card = COLUMNS;
    for (int low = 0; low < 5; low++)
        for (int high = low + 1; high < 5; high++) SPACES_OF_CARD[card++] = 3u << 2 * low | 3u << 2 * high;
    SPACES_OF_CARD[card] = ALL_SPACES;
}

static uint64_t word_at(const uint8_t *bytes) {
    uint64_t word = 0;
    for (int i = 0; i < 8; i++) word = word << 8 | bytes[i];
    return word;
}

int main(void) {
    read_box();
    size_t games = number(0, UINT32_MAX);
    uint8_t(*words)[16] = malloc(games * 16 + 1);
    Result(*results)[SEATS] = malloc(games * sizeof *results + 1);
    if (!words || !results || getchar() != '\n' || fread(words, 16, games, stdin) != games) {
        fputs("ceiling: the games cannot be read\n", stderr);
        return 1;
    }
    memset(results, 0, games * sizeof *results); /* avoid page faults while the clock runs */
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (size_t game = 0; game < games; game++)
        play_game(word_at(words[game]), word_at(words[game] + 8), results[game]);
    clock_gettime(CLOCK_MONOTONIC, &end);
    uint64_t checksum = 0xCBF29CE484222325;
    const uint8_t *bytes = (const uint8_t *)results;
    for (size_t i = 0; i < games * sizeof *results; i++) checksum = (checksum ^ bytes[i]) * 0x100000001B3;
    double seconds = end.tv_sec - start.tv_sec + (end.tv_nsec - start.tv_nsec) / 1e9;
    printf("{\"games\": %zu, \"turns\": %zu, \"seconds\": %.6f, \"checksum\": \"%016" PRIx64 "\"}\n", games,
           games * SEATS * ROUNDS, seconds, checksum);
    free(words);
    free(results);
}
