import { Emitter, type Event } from '../../lib/emitter.ts';

/** A piece of what a process prints. */
export type Piece = Readonly<{ stream: 'stdout' | 'stderr'; text: string }>;

/** What a process prints; what came before the first listener is given to that. */
export class Output {
  private readonly emitter = new Emitter<Piece>();
  private early: Piece[] | undefined = [];

  readonly event: Event<Piece> = listener => {
    const subscription = this.emitter.event(listener);
    const early = this.early ?? [];
    this.early = undefined;
    for (const piece of early) listener(piece);
    return subscription;
  };

  push(piece: Piece): void {
    if (this.early) this.early.push(piece);
    else this.emitter.fire(piece);
  }
}
