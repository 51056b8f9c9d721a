/**
 * A seeded 64-bit hash of a text, as two unsigned 32-bit halves.
 *
 * Not cryptographic: it has to be fast, even and the same on every machine and in every release, because delays are
 * drawn from it and dispatch ids are made of it. Each UTF-16 code unit goes through two multiply-rotate lanes (the
 * round of MurmurHash3 x86_32) and each lane through that hash's finaliser; the constants are MurmurHash3's.
 */
export function hash64(text: string, seed = 0): readonly [high: number, low: number] {
  let high = seed ^ 0x9747b28c;
  let low = seed ^ 0x3c6ef372;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(rotateLeft(high ^ Math.imul(unit, 0xcc9e2d51), 13), 5) + 0xe6546b64;
    low = Math.imul(rotateLeft(low ^ Math.imul(unit, 0x1b873593), 15), 5) + 0x38b34ae5;
  }
  high = finalise(high ^ text.length);
  low = finalise(low ^ high);
  high = finalise(high + low);
  return [high >>> 0, low >>> 0];
}

/** A uniform number in [0, 1) with 53 bits of the hash of `text`: `(26 high bits × 2^27 + 27 low bits) / 2^53`. */
export function unitInterval(text: string, seed = 0): number {
  const [high, low] = hash64(text, seed);
  return ((high >>> 6) * 0x8000000 + (low >>> 5)) / 0x20000000000000;
}

/** Ten characters of `0-9a-z` that name `text`: 50 bits of its hash, for ids that are unique within one item. */
export function shortHash(text: string): string {
  const [high, low] = hash64(text);
  return (high >>> 7).toString(32).padStart(5, "0") + (low >>> 7).toString(32).padStart(5, "0");
}

function rotateLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function finalise(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
