"""A Sudoku solver in twenty lines, for `ninefold crosscheck --external 'mine=python3 docs/examples/solver.py'`."""
import sys

PEERS = [[j for j in range(81) if j != i and (i // 9 == j // 9 or i % 9 == j % 9
          or (i // 27, i % 9 // 3) == (j // 27, j % 9 // 3))] for i in range(81)]

def solutions(grid):
    """Every solution, one after the other: the blank with the fewest digits left, each digit in turn."""
    open_digits = {i: set('123456789') - {grid[j] for j in PEERS[i]} for i in range(81) if grid[i] == '.'}
    if not open_digits:
        yield grid
        return
    i = min(open_digits, key=lambda i: len(open_digits[i]))
    for digit in sorted(open_digits[i]):
        yield from solutions(grid[:i] + digit + grid[i + 1:])

for line in sys.stdin:
    found = [solution for solution, _ in zip(solutions(line.strip()), range(2))]
    print(['unsolvable', 'unique ' + ''.join(found[:1]), 'multiple ' + ' '.join(found)][len(found)], flush=True)
