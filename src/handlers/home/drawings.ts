// Which drawing of a page stands, as several run at once: a user clicks while the last click
// still loads, or while a background event does. The one that was asked for last stands.

/** Puts a drawing on its page unless a later one has gone before; tells whether it did. */
export type Put = (update: () => Promise<unknown>) => Promise<boolean>;

/** The drawings of a worker's pages. */
export type Drawings = {
  /** Begin what a user asked for: only what a user asks for later goes before it. */
  begin: () => Put;
  /** Begin what nobody asked for: it gives way to anything that a user asks for meanwhile. */
  beginUnasked: () => Put;
};

/** Create the order of drawings. A worker that was stopped draws nothing any more, so that
 * what is kept here need not outlive it. */
export function createDrawings(): Drawings {
  let asked = 0;
  let steps = 0;
  return {
    begin: () => {
      asked += 1;
      const mine = asked;
      return async (update) => {
        if (mine !== asked) return false;
        steps += 1;
        await update();
        // Whoever read the page while it was changing has an old one in hand.
        steps += 1;
        return true;
      };
    },
    beginUnasked: () => {
      const [askedBefore, stepsBefore] = [asked, steps];
      return async (update) => {
        if (asked !== askedBefore || steps !== stepsBefore) return false;
        await update();
        return true;
      };
    },
  };
}
