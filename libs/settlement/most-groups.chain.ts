import { toOriginalPositions, partOf, type Group, type Multiset, type Part } from './multiset';
import { visitZeroSums, SumIndex } from './sum-index';

/** A part of the multiset with sum zero, as one mask for each half (see `Half`). */
interface ZeroPart {
  readonly left: number;
  readonly right: number;
  readonly people: number;
}

/**
 * One half of the values, with the masks and the sums of all its parts. A mask has one bit for each person of the half.
 * People with equal balances are added in a fixed order, so part A contains part B if and only if the mask of A
 * contains the mask of B.
 */
interface Half extends Part {
  readonly masks: Int32Array;
  readonly sums: Float64Array;
}

/** Limits of the search: the maximum number of parts of a half, and the maximum number of parts with sum zero. */
export interface ChainLimits {
  readonly halfParts: number;
  readonly zeroParts: number;
}

const MASK_BITS = 30;

/**
 * The parts with sum zero, sorted by their number of people. `find` combines each part of one half with the parts of
 * the other half that have the opposite sum.
 */
class ZeroParts {
  private constructor(
    readonly found: readonly ZeroPart[],
    private readonly halves: readonly [Half, Half],
    /** Whether `found` contains all parts with sum zero; false if there are more than the limit allows. */
    readonly complete: boolean,
  ) {}

  /** Returns null if the halves are too large. With `withFirst`, only parts that contain the first person are found. */
  static find(set: Multiset, limits: ChainLimits, { withFirst }: { withFirst: boolean }): ZeroParts | null {
    const halves = twoHalves(set, limits.halfParts);
    if (!halves) return null;
    const [left, right] = halves;
    // The bit of the first person, if a part must contain this person and this person is in the half; otherwise 0.
    const requiredLeft = withFirst && left.origin[0] === 0 ? 1 : 0;
    const requiredRight = withFirst && right.origin[0] === 0 ? 1 : 0;
    const found: ZeroPart[] = [];
    visitZeroSums(left.sums, new SumIndex(right.sums), (leftIndex, rightIndex) => {
      const leftMask = left.masks[leftIndex] as number;
      const rightMask = right.masks[rightIndex] as number;
      if ((leftMask & requiredLeft) !== requiredLeft || (rightMask & requiredRight) !== requiredRight) return false;
      if ((leftMask | rightMask) === 0) return false;
      found.push({ left: leftMask, right: rightMask, people: bitCount(leftMask) + bitCount(rightMask) });
      return found.length > limits.zeroParts;
    });
    found.sort((a, b) => a.people - b.people || a.left - b.left || a.right - b.right);
    return new ZeroParts(found, halves, found.length <= limits.zeroParts);
  }

  /** The people of `part` who are not in `without`. */
  group(part: ZeroPart, without?: ZeroPart): Group {
    const [left, right] = this.halves;
    return [
      ...members(left, part.left & ~(without?.left ?? 0)),
      ...members(right, part.right & ~(without?.right ?? 0)),
    ];
  }
}

/**
 * Splits the people into as many groups as possible. Returns null if the search would be too large. The search is small
 * if few parts have sum zero, which is usual for large amounts. The search looks for the longest chain of parts with
 * sum zero in which each part contains the first person, and each part is contained in the next part. Each part of the
 * chain adds one group.
 */
export function mostGroupsByChain(set: Multiset, limits: ChainLimits): Group[] | null {
  const zeroParts = ZeroParts.find(set, limits, { withFirst: true });
  if (!zeroParts?.complete) return null;
  const { found } = zeroParts;
  const left = Int32Array.from(found, (part) => part.left);
  const right = Int32Array.from(found, (part) => part.right);
  const length = new Uint16Array(found.length);
  const inner = new Int32Array(found.length).fill(-1);
  for (let outer = 0; outer < found.length; outer++) {
    const notLeft = ~(left[outer] as number);
    const notRight = ~(right[outer] as number);
    for (let index = 0; index < outer; index++) {
      if (((left[index] as number) & notLeft) !== 0 || ((right[index] as number) & notRight) !== 0) continue;
      if ((length[index] as number) < (length[outer] as number)) continue;
      length[outer] = (length[index] as number) + 1;
      inner[outer] = index;
    }
  }
  const groups: Group[] = [];
  // The last part is the whole multiset.
  for (let index = found.length - 1; index >= 0; index = inner[index] as number) {
    groups.push(zeroParts.group(found[index] as ZeroPart, found[inner[index] as number]));
  }
  return groups;
}

/** The smallest group that is found in `set`; null if none is found. The sum of the whole `set` need not be zero. */
export function smallestGroup(set: Multiset, limits: ChainLimits): Group | null {
  const zeroParts = ZeroParts.find(set, limits, { withFirst: false });
  const smallest = zeroParts?.found[0];
  return zeroParts && smallest ? zeroParts.group(smallest) : null;
}

/**
 * Splits the values into two halves with about the same number of parts. Returns null if a half has more than
 * `halfParts` parts, or more people than a mask has bits.
 */
function twoHalves(set: Multiset, halfParts: number): [Half, Half] | null {
  const partCounts: [number, number] = [1, 1];
  const people: [number, number] = [0, 0];
  const counts: [number[], number[]] = [set.values.map(() => 0), set.values.map(() => 0)];
  const mostPeopleFirst = set.counts
    .map((count, position) => ({ count, position }))
    .sort((a, b) => b.count - a.count || a.position - b.position);
  for (const { count, position } of mostPeopleFirst) {
    const side = partCounts[0] <= partCounts[1] ? 0 : 1;
    partCounts[side] *= count + 1;
    people[side] += count;
    counts[side][position] = count;
  }
  if (Math.max(...partCounts) > halfParts || Math.max(...people) > MASK_BITS) return null;
  return [half(partOf(set, counts[0])), half(partOf(set, counts[1]))];
}

/**
 * Calculates the masks and sums of all parts of a half. The first entry is the empty part. For each value, the earlier
 * entries are repeated with 1, 2 and more people who have this value, up to all of them.
 */
function half(part: Part): Half {
  const partCount = part.counts.reduce((product, count) => product * (count + 1), 1);
  const masks = new Int32Array(partCount);
  const sums = new Float64Array(partCount);
  let entries = 1;
  let bit = 0;
  part.values.forEach((value, position) => {
    const count = part.counts[position] ?? 0;
    const earlier = entries;
    for (let taken = 1; taken <= count; taken++) {
      for (let index = 0; index < earlier; index++, entries++) {
        masks[entries] = (masks[index] as number) | (((1 << taken) - 1) << bit);
        sums[entries] = (sums[index] as number) + taken * value;
      }
    }
    bit += count;
  });
  return { ...part, masks, sums };
}

function members(half: Half, mask: number): Group {
  const positions = half.values.flatMap((_, position) => new Array<number>(half.counts[position] ?? 0).fill(position));
  return toOriginalPositions(
    half,
    positions.filter((_, bit) => (mask >>> bit) & 1),
  );
}

function bitCount(mask: number): number {
  let remaining = mask;
  let count = 0;
  for (; remaining !== 0; remaining &= remaining - 1) count++;
  return count;
}
