/** A binary heap whose members can also be taken out or moved from the middle, all in O(log n). */
export class IndexedHeap<T> {
  readonly #before: (left: T, right: T) => boolean;
  readonly #items: T[] = [];
  readonly #positions = new Map<T, number>();

  /** @param before whether `left` comes out earlier than `right`; may read fields that change, see `update` */
  constructor(before: (left: T, right: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  has(item: T): boolean {
    return this.#positions.has(item);
  }

  /** Adds `item`, or finds its new place after its order changed. */
  update(item: T): void {
    let position = this.#positions.get(item);
    if (position === undefined) {
      position = this.#items.length;
      this.#place(item, position);
    }
    this.#sift(item, position);
  }

  remove(item: T): void {
    const position = this.#positions.get(item);
    if (position === undefined) return;
    this.#positions.delete(item);
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    this.#place(last, position);
    this.#sift(last, position);
  }

  clear(): void {
    this.#items.length = 0;
    this.#positions.clear();
  }

  #sift(item: T, start: number): void {
    let position = start;
    while (position > 0) {
      const above = (position - 1) >> 1;
      const parent = this.#items[above];
      if (parent === undefined || !this.#before(item, parent)) break;
      this.#place(parent, position);
      position = above;
    }
    for (;;) {
      const below = this.#earlierChild(position);
      const child = this.#items[below];
      if (child === undefined || !this.#before(child, item)) break;
      this.#place(child, position);
      position = below;
    }
    this.#place(item, position);
  }

  #earlierChild(position: number): number {
    const left = 2 * position + 1;
    const first = this.#items[left];
    const second = this.#items[left + 1];
    return first !== undefined && second !== undefined && this.#before(second, first) ? left + 1 : left;
  }

  #place(item: T, position: number): void {
    this.#items[position] = item;
    this.#positions.set(item, position);
  }
}
