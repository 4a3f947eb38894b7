// Views that are larger than a page. MetaMask checks 1,000 texts of an interface in 0.4 s and
// takes 10 MB, so a page is kept small, and everything that is signed stands on some page.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import type { Notice } from './notice';

/** Most texts of a page's items, and most characters; an item that alone has more gets a page
 * of its own. */
const MAX = { texts: 500, characters: 150_000 };

/** What a picture is drawn with beside its content. */
export type Frame = {
  /** Number of the picture. Its buttons carry it, so that a click tells what was seen. */
  number: number;
  /** The page to draw, from 0 on. */
  page: number;
  /** The pages that were seen before this picture. */
  seen: ReadonlySet<number>;
  /** What has changed since the picture that was approved last. */
  changes: readonly Notice[];
};

/** The frame of a dialog that has just opened. */
export const FIRST_FRAME: Frame = { number: 1, page: 0, seen: new Set(), changes: [] };

/** A view of one or more pages. */
export type PagedView = { pages: number; draw: (frame: Frame) => JSXElement };

/** How much of a page an item takes. */
export type Weight = { texts: number; characters: number };

/** Tells whether the picture in a frame shows the last page that was not seen yet. */
export function isSeenWhole(pages: number, { seen, page }: Frame): boolean {
  return Array.from({ length: pages }, (_, index) => index).every(
    (index) => index === page || seen.has(index),
  );
}

/** Splits items into pages. @returns At least one page, which is empty if there are no items. */
export function toPages<Item>(
  items: readonly Item[],
  weigh: (item: Item) => Weight,
): Item[][] {
  const pages: Item[][] = [[]];
  const left = { ...MAX };
  for (const item of items) {
    const { texts, characters } = weigh(item);
    const last = pages.at(-1) ?? [];
    if (last.length > 0 && (texts > left.texts || characters > left.characters)) {
      pages.push([item]);
      Object.assign(left, MAX);
    } else last.push(item);
    left.texts -= texts;
    left.characters -= characters;
  }
  return pages;
}

/** A button of a dialog that was pressed, and the number of the picture it was on. */
export type Press = { number: number; page?: number };

/** Names the button that approves a picture. */
export function nameApproval(number: number): string {
  return `approve:${number}`;
}

/** Names the button that turns from a picture to a page. */
export function nameTurn(page: number, number: number): string {
  return `page:${page}:${number}`;
}

/** Reads the name of a button. */
export function findPress(name: string): Press | undefined {
  const groups = /^(?:approve|page:(?<page>\d{1,9})):(?<number>\d{1,9})$/u.exec(
    name,
  )?.groups;
  if (!groups) return undefined;
  const { page, number } = groups;
  return {
    number: Number(number),
    ...(page === undefined ? {} : { page: Number(page) }),
  };
}
