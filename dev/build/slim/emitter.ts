// Stands in for eventemitter3 in @ethereumjs/common, which tells of a change of hardfork:
// the snap makes a new Common for each transaction, and nobody listens.

/** Tells nobody. */
export class EventEmitter {
  emit(): boolean {
    return false;
  }
}
