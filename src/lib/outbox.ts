import type { Writable } from 'node:stream';

/** Written at once when so much has gathered: each write costs a system call. */
const PIECE_BYTES = 1 << 16;
/** Blocks that are kept for the next pieces. */
const SPARE_BLOCKS = 2;

/** Gathers copies of what is written within one turn of the event loop, in memory that is used again and again. */
export class Outbox {
  private readonly target: Writable;
  private readonly spare: Buffer[] = [];
  private block: Buffer | undefined;
  private filled = 0;
  private endOfTurn: NodeJS.Immediate | undefined;

  constructor(target: Writable) {
    this.target = target;
  }

  /** Returns, like `write`, whether there is room for more. */
  add(piece: Buffer): boolean {
    for (let at = 0; at < piece.length;) {
      this.block ??= this.spare.pop() ?? Buffer.allocUnsafeSlow(PIECE_BYTES);
      const copied = piece.copy(this.block, this.filled, at);
      this.filled += copied;
      at += copied;
      if (this.filled === PIECE_BYTES) this.send();
    }
    if (this.filled > 0) this.endOfTurn ??= setImmediate(() => this.send());
    return !this.target.writableNeedDrain;
  }

  /** Writes what has gathered. */
  send(): void {
    clearImmediate(this.endOfTurn);
    this.endOfTurn = undefined;
    const { block } = this;
    if (!block) return;
    this.block = undefined;
    this.target.write(block.subarray(0, this.filled), error => {
      if (!error && this.spare.length < SPARE_BLOCKS) this.spare.push(block);
    });
    this.filled = 0;
  }
}
