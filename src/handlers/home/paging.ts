// Long lists, ten rows a page.
const ROWS = 10;

/** A page of a list. */
export type Page<Row> = {
  rows: Row[];
  /** Which page, from 0 on; the last one if there are fewer than was asked for. */
  page: number;
  /** How many pages there are; one of an empty list. */
  pages: number;
};

/** Take a page of a list. */
export function toPage<Row>(all: readonly Row[], asked: number): Page<Row> {
  const pages = Math.max(1, Math.ceil(all.length / ROWS));
  const page = Math.min(asked, pages - 1);
  return { rows: all.slice(page * ROWS, (page + 1) * ROWS), page, pages };
}
