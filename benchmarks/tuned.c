/* Tuned playout in plain C: the highest speed of complete random base games with two seats.
 *
 *   cc -O3 -march=native -o tuned benchmarks/tuned.c
 *
 * Plays the same games as Simulation(Variant(2), boards, ("random", "random"), seed).play(n), with the chance
 * of bulk/1 (docs/chance.md): one game after the other, one thread, no intrinsics except the n-th bit of a set.
 *
 * Standard input, first as text, numbers in decimal:
 *   four lines   a garden board each: the number of its sides (1 or 2), then the printed squares of each
 *                side, as the integers of sanssouci.rules
 *   one line     the 18 cards of the deck in ascending order
 *   one line     the number of games, and exactly one newline
 * then 16 bytes for each game: its words w0 and w1, big-endian (the first half of the game's SHA-256).
 *
 * Standard output: {"games": N, "turns": 36 * N, "seconds": s, "checksum": "16 hex digits"}. Only the
 * games are timed, from the two words to the result. The checksum is FNV-1a (64 bits: start at
 * CBF29CE484222325; for each byte, hash = (hash ^ byte) * 100000001B3) over 18 bytes per game, in order: for
 * each seat its total, nobles, rewards, boar, rows, columns, missions, gardeners, and 1 if it won, else 0.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-tree-slp-vectorize") /* SLP vectorisation slows the turns down */
#endif
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* Square = 10 * (row - 1) + column; the tenth column is empty, so that shifts cannot wrap around the edge. */
typedef uint64_t Squares;

enum { SEATS = 2, ROUNDS = 18, BOARDS = 4, COLUMNS = 9, CARDS = 18, TILES = 45, SPACES = 10 };
enum { ALL_SPACES = 1023, NO_CARD = 31, NO_SQUARE = 63 };
enum { CARD, SPACE, SQUARE, NOBLE, STAGES }; /* the draws of a turn that are used; the boar's is skipped */
enum { GARDENS_AT = 0, MISSIONS_AT = 3, DECKS_AT = 11, TILES_AT = 45, DEAL_DRAWS = 89 };

static const uint64_t GAMMA = 0x9E3779B97F4A7C15, UPPER = 0xFFFFFFFF00000000;
static const Squares ROW_1 = 0x1FF, COLUMN_A = 0x4010040100401, ALL = 0x4010040100401 * 0x1FF;

static Squares CROSS[64];           /* by square: its row and its column */
static Squares PASSED[64];          /* by square: itself and all above it; empty for NO_SQUARE */
static uint8_t POINTS[64];          /* by square: its row; 0 for NO_SQUARE */
static uint16_t CARD_SPACES[32];    /* by card: the spaces it may always take; empty for motif cards */
static uint32_t PLACE[DEAL_DRAWS];  /* by draw of the deal: the place in its pile, ... */
static uint32_t BOUND[DEAL_DRAWS];  /* ... how many things are left, ... */
static uint32_t UNEVEN[DEAL_DRAWS]; /* ... and 2 ** 32 modulo that */
static uint64_t STEP[ROUNDS * STAGES]; /* by draw of a seat: its offset from the seat's key */
static Squares SIDE[BOARDS][2];
static int SIDES[BOARDS];
static uint8_t DECK[CARDS];

typedef struct { uint8_t total, nobles, rewards, boar, rows, columns, missions, gardeners, won; } Result;

typedef struct {
    Squares built, gardeners, passed;
    Squares connected, edge; /* the squares connected to the palace, and all their neighbours */
    unsigned points, low, high; /* the two cards of the hand in order */
    uint64_t key, outputs[ROUNDS * STAGES];
} Seat;

typedef struct {
    uint8_t motif[SPACES];
    uint16_t takes[32]; /* by card: CARD_SPACES, and for motif cards the spaces of their motif */
} Display;

static inline uint64_t mix(uint64_t word) {
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
    word = (word ^ word >> 27) * 0x94D049BB133111EB;
    return word ^ word >> 31;
}

static inline uint64_t nth_member(uint64_t set, uint64_t n) { /* as a set of one; empty if there is none */
#ifdef __BMI2__
    return _pdep_u64(1ULL << n, set);
#else
    while (n--) set &= set - 1;
    return set & -set;
#endif
}

static inline Squares neighbours(Squares set) { return set << 1 | set >> 1 | set << 10 | set >> 10; }

/* All outputs a seat will need. They are independent, so the compiler vectorises them. */
static inline void draw_outputs(Seat *seat) {
    for (int i = 0; i < ROUNDS * STAGES; i++) seat->outputs[i] = mix(seat->key + STEP[i]) & UPPER;
    seat->outputs[(ROUNDS - 1) * STAGES + CARD] = 0; /* only one card is left: the lower */
}

/* Skipping an output shifts all later ones by one, like a greater key. */
static __attribute__((noinline, cold)) uint64_t checked_below(Seat *seat, int draw, uint32_t bound) {
    for (;;) {
        uint64_t product = (seat->outputs[draw] >> 32) * bound;
        if ((uint32_t)product >= -bound % bound) return product >> 32;
        seat->key += GAMMA;
        draw_outputs(seat);
    }
}

/* Every bound is below 64, so a remainder of at least 64 needs no check. */
static inline uint64_t below(Seat *seat, int draw, uint64_t bound) {
    unsigned __int128 product = (unsigned __int128)seat->outputs[draw] * bound;
    if (UNLIKELY((uint64_t)product < 64ULL << 32)) return checked_below(seat, draw, bound);
    return product >> 64;
}

static __attribute__((noinline, cold)) void checked_deal(uint64_t key, uint32_t *chosen) {
    for (int i = 0; i < DEAL_DRAWS; i++) {
        uint64_t product;
        do product = (mix(key += GAMMA) >> 32) * BOUND[i];
        while ((uint32_t)product < UNEVEN[i]);
        chosen[i] = PLACE[i] + (product >> 32);
    }
}

/* For each place of each pile, the place it is swapped with; vectorised too. */
static inline void draw_deal(uint64_t key, uint32_t *chosen) {
    uint32_t skipped = 0;
    for (int i = 0; i < DEAL_DRAWS; i++) {
        uint64_t product = (mix(key + (i + 1) * GAMMA) >> 32) * BOUND[i];
        skipped |= (uint32_t)product < UNEVEN[i];
        chosen[i] = PLACE[i] + (product >> 32);
    }
    if (UNLIKELY(skipped)) checked_deal(key, chosen);
}

static inline void shuffle(uint8_t *pile, int places, const uint32_t *chosen) {
    for (int place = 0; place < places; place++) {
        uint8_t thing = pile[chosen[place]];
        pile[chosen[place]] = pile[place];
        pile[place] = thing;
    }
}

static inline unsigned play_card(Seat *seat, int round, unsigned drawn) {
    int higher = seat->outputs[round * STAGES + CARD] >> 63; /* a number below 2 */
    unsigned card = higher ? seat->high : seat->low, kept = higher ? seat->low : seat->high;
    seat->low = kept < drawn ? kept : drawn;
    seat->high = kept < drawn ? drawn : kept;
    return card;
}

/* Takes a tile and refills its space; returns the tile's own square. All spaces are full in all 36 turns. */
static inline unsigned take_tile(Display *display, Seat *seat, int round, unsigned card, unsigned refill) {
    unsigned spaces = display->takes[card];
    spaces = spaces ? spaces : ALL_SPACES;
    unsigned bit = nth_member(spaces, below(seat, round * STAGES + SPACE, __builtin_popcount(spaces)));
    unsigned space = __builtin_ctz(bit), motif = display->motif[space];
    display->motif[space] = refill;
    display->takes[motif] ^= bit;
    display->takes[refill] |= bit;
    return 10 * (1 + space / 2) + motif;
}

static inline Squares lay_tile(Seat *seat, int round, unsigned own) {
    Squares free = ALL & ~seat->built, squares = CROSS[own] & free;
    if (UNLIKELY(!squares)) squares = free;
    Squares gardener = -(seat->built >> own & 1); /* all ones or none: a branch here is often mispredicted */
    squares = (squares & gardener) | (1ULL << own & ~seat->built);
    Squares bit = nth_member(squares, below(seat, round * STAGES + SQUARE, __builtin_popcountll(squares)));
    seat->built |= bit;
    seat->gardeners |= bit & gardener;
    return bit;
}

/* Only a tile next to the connected part can extend it. Two steps are nearly always enough, so they are taken
 * unconditionally; the branch of the loop is then rarely mispredicted. */
static inline void connect(Seat *seat, Squares tile) {
    Squares connected = seat->connected, reached = tile & seat->edge;
    connected |= reached;
    reached = neighbours(reached) & seat->built & ~connected;
    connected |= reached;
    reached = neighbours(reached) & seat->built & ~connected;
    connected |= reached;
    while (UNLIKELY(reached)) {
        reached = neighbours(reached) & seat->built & ~connected;
        connected |= reached;
    }
    seat->connected = connected;
    seat->edge = neighbours(connected);
}

static inline void move_noble(Seat *seat, int round) {
    Squares stops = seat->connected & ~seat->gardeners & ~seat->passed;
    uint64_t choice = below(seat, round * STAGES + NOBLE, __builtin_popcountll(stops) + 1);
    /* The last choice is to move no noble: there is no such member. */
    unsigned stop = __builtin_ctzll(nth_member(stops, choice) | 1ULL << NO_SQUARE);
    seat->passed |= PASSED[stop];
    seat->points += POINTS[stop];
}

static inline void play_turn(Display *display, Seat *seat, int round, unsigned drawn, unsigned refill) {
    unsigned card = play_card(seat, round, drawn);
    connect(seat, lay_tile(seat, round, take_tile(display, seat, round, card, refill)));
    move_noble(seat, round);
}

static inline void sit_down(Seat *seat, uint64_t key, int board, const uint8_t *deck) {
    int side = 0;
    if (SIDES[board] == 2) side = mix(key += GAMMA) >> 63;
    seat->key = key;
    seat->built = ROW_1 | SIDE[board][side];
    seat->gardeners = seat->passed = seat->points = 0;
    seat->connected = ROW_1;
    seat->edge = neighbours(ROW_1);
    connect(seat, seat->built & seat->edge);
    seat->low = deck[0] < deck[1] ? deck[0] : deck[1];
    seat->high = deck[0] < deck[1] ? deck[1] : deck[0];
    draw_outputs(seat);
}

static inline Result score(const Seat *seat, const uint8_t *missions) {
    Squares built = seat->built;
    Squares full_rows = (built + COLUMN_A) >> 9; /* a full row carries into its tenth column */
    unsigned rows = 0;
    for (int row = 2; row <= 6; row++) rows += (full_rows >> 10 * (row - 1) & 1) * (10 - row);
    Squares full_columns = built & built >> 30;
    full_columns &= full_columns >> 10 & full_columns >> 20 & ROW_1;
    unsigned columns = 5 * __builtin_popcountll(full_columns);
    Squares wanted = COLUMN_A << missions[0] | COLUMN_A << missions[1];
    unsigned reached = __builtin_popcountll(wanted & seat->passed);
    return (Result){
        .total = seat->points + rows + columns + reached, .nobles = seat->points, .rows = rows,
        .columns = columns, .missions = reached, .gardeners = __builtin_popcountll(seat->gardeners)};
}

static inline void play_game(uint64_t w0, uint64_t w1, Result *results) {
    uint8_t boards[BOARDS] = {0, 1, 2, 3}, missions[COLUMNS] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    uint8_t decks[SEATS][CARDS + 2], tiles[TILES + 1]; /* the last turns draw nothing */
    uint32_t chosen[DEAL_DRAWS];
    Display display;
    Seat seats[SEATS];
    draw_deal(w0, chosen);
    shuffle(boards, SEATS, chosen + GARDENS_AT);
    shuffle(missions, 2 * SEATS, chosen + MISSIONS_AT);
    for (int i = 0; i <= TILES; i++) tiles[i] = i / 5 % COLUMNS;
    shuffle(tiles, TILES - 1, chosen + TILES_AT);
    for (int i = 0; i < SEATS; i++) {
        memcpy(decks[i], DECK, CARDS);
        decks[i][CARDS] = decks[i][CARDS + 1] = NO_CARD;
        shuffle(decks[i], CARDS - 1, chosen + DECKS_AT + i * (CARDS - 1));
        sit_down(&seats[i], mix(w1 + (i + 1) * GAMMA), boards[i], decks[i]);
    }
    memcpy(display.takes, CARD_SPACES, sizeof CARD_SPACES);
    for (int i = 0; i < SPACES; i++) display.takes[display.motif[i] = tiles[i]] |= 1 << i;
    for (int round = 0; round < ROUNDS; round++) {
        play_turn(&display, &seats[0], round, decks[0][2 + round], tiles[SPACES + 2 * round]);
        play_turn(&display, &seats[1], round, decks[1][2 + round], tiles[SPACES + 2 * round + 1]);
    }
    for (int i = 0; i < SEATS; i++) results[i] = score(&seats[i], missions + 2 * i);
    int ranks[SEATS];
    for (int i = 0; i < SEATS; i++) ranks[i] = results[i].total << 8 | results[i].gardeners;
    results[0].won = ranks[0] >= ranks[1];
    results[1].won = ranks[1] >= ranks[0];
}

static void make_tables(void) {
    static const int piles[] = {BOARDS, COLUMNS, CARDS, CARDS, TILES}, stages[STAGES] = {1, 2, 3, 5};
    for (int pile = 0, draw = 0; pile < 5; pile++)
        for (int place = 0; place < piles[pile] - 1; place++, draw++) {
            PLACE[draw] = place;
            BOUND[draw] = piles[pile] - place;
            UNEVEN[draw] = -BOUND[draw] % BOUND[draw];
        }
    for (int i = 0; i < ROUNDS * STAGES; i++) STEP[i] = (5 * (i / STAGES) + stages[i % STAGES]) * GAMMA;
    for (int square = 0; square < 60; square++) {
        CROSS[square] = ROW_1 << square / 10 * 10 | COLUMN_A << square % 10;
        for (int above = square; above >= 0; above -= 10) PASSED[square] |= 1ULL << above;
        POINTS[square] = square / 10 + 1;
    }
    int card = COLUMNS;
    for (int low = 0; low < 5; low++)
        for (int high = low + 1; high < 5; high++) CARD_SPACES[card++] = 3 << 2 * low | 3 << 2 * high;
    CARD_SPACES[card] = ALL_SPACES;
}

static uint64_t number(uint64_t least, uint64_t most) {
    uint64_t value;
    if (scanf("%" SCNu64, &value) == 1 && least <= value && value <= most) return value;
    fputs("tuned: invalid input\n", stderr);
    exit(1);
}

int main(void) {
    make_tables();
    for (int board = 0; board < BOARDS; board++) {
        SIDES[board] = number(1, 2);
        for (int side = 0; side < SIDES[board]; side++) {
            uint64_t printed = number(0, (1ULL << 54) - 1);
            for (int row = 0; row < 6; row++) SIDE[board][side] |= (printed >> 9 * row & 0x1FF) << 10 * row;
        }
    }
    for (int i = 0; i < CARDS; i++) DECK[i] = number(0, 19);
    size_t games = number(0, UINT32_MAX);
    uint8_t(*words)[16] = malloc(games * 16 + 1);
    Result(*results)[SEATS] = malloc(games * sizeof *results + 1);
    if (!words || !results || getchar() != '\n' || fread(words, 16, games, stdin) != games) {
        fputs("tuned: the games cannot be read\n", stderr);
        return 1;
    }
    memset(results, 0, games * sizeof *results); /* avoid page faults while the clock runs */
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (size_t game = 0; game < games; game++) {
        uint64_t word[2];
        memcpy(word, words[game], 16);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        word[0] = __builtin_bswap64(word[0]), word[1] = __builtin_bswap64(word[1]);
#endif
        play_game(word[0], word[1], results[game]);
    }
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
