import { partCount, type Group, type Multiset } from './multiset';

/**
 * Divides the people into the maximum number of groups with sum zero, by dynamic programming over all parts
 * (sub-multisets) of the multiset. People are put into a sequence one after another, and a group ends wherever the sum
 * of the sequence is zero. Within a group, a creditor comes next if the sum is not positive, otherwise a debtor: any
 * group can be ordered in this way. Each group begins with the largest remaining creditor. Only such sequences are
 * searched. Time and memory grow with `partCount(set)`: each part needs 11 bytes and up to 60 ns.
 */
export function mostGroups(set: Multiset): Group[] {
  const { values, counts } = set;
  if (values.length === 0) return [];
  const creditors = values.filter((value) => value > 0).length;
  /** For each value: the number of people, without the first person, who begins every sequence. */
  const available = counts.map((count, position) => (position === 0 ? count - 1 : count));
  const strides = stridesOf(available);
  const all = partCount(set);

  const sums = new Float64Array(all);
  /** For each part: the maximum number of complete groups plus one; 0 if no sequence leads to this part. */
  const groupsPlusOne = new Uint16Array(all);
  /** For each part: the position of the person who was added last in the best sequence. */
  const last = new Uint8Array(all);
  const used = new Uint32Array(values.length);
  sums[0] = values[0] ?? 0;
  groupsPlusOne[0] = 1;

  for (let part = 0; part < all; part++, countUp(used, available)) {
    const before = groupsPlusOne[part] as number;
    if (before === 0) continue;
    const sum = sums[part] as number;
    const [from, to] = sum > 0 ? [creditors, values.length] : [0, creditors];
    for (let position = from; position < to; position++) {
      if ((used[position] as number) >= (available[position] as number)) continue;
      const next = part + (strides[position] as number);
      const total = sum + (values[position] as number);
      const after = total === 0 ? before + 1 : before;
      if (after > (groupsPlusOne[next] as number)) {
        groupsPlusOne[next] = after;
        sums[next] = total;
        last[next] = position;
      }
      if (sum === 0) break;
    }
  }
  return cutAtZero(sums, last, strides);
}

/** Reads the best sequence backwards and cuts it into groups. */
function cutAtZero(sums: Float64Array, last: Uint8Array, strides: readonly number[]): Group[] {
  const groups: number[][] = [];
  for (let part = sums.length - 1; part > 0;) {
    if (sums[part] === 0) groups.push([]);
    const position = last[part] as number;
    groups.at(-1)?.push(position);
    part -= strides[position] as number;
  }
  // The first person is not included in the parts, but begins the first group.
  groups.at(-1)?.push(0);
  return groups.reverse();
}

/**
 * The index of a part is a number in mixed radix. It has one digit for each value: how many people with this value the
 * part contains. Returns the weights of the digits.
 */
function stridesOf(available: readonly number[]): number[] {
  const strides: number[] = [];
  let stride = 1;
  for (const count of available) {
    strides.push(stride);
    stride *= count + 1;
  }
  return strides;
}

function countUp(digits: Uint32Array, available: readonly number[]): void {
  for (let position = 0; position < digits.length; position++) {
    const digit = digits[position] as number;
    if (digit < (available[position] as number)) {
      digits[position] = digit + 1;
      return;
    }
    digits[position] = 0;
  }
}
