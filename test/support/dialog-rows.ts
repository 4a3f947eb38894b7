// Tests that every dialog must pass: it is drawn as its view, and only its own button
// approves what it asks.
import { isDeepStrictEqual } from 'node:util';

import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Hex } from 'viem';

import type { PagedView } from '../../src/ui/confirmation';
import { refusalIn, resultIn } from './snap-bench';
import { openWorld, sites } from './snap-world';
import type { DialogCall, World } from './snap-world';
import { drawPage } from './view';

/** What a view is made with beside what is asked. */
export type Drawing = World & {
  origin: string;
  account: Hex;
  /** How old fees may be, in ms. */
  age: number;
};

/** A dialog. */
export type DialogRow = {
  /** What shows it, to a site. */
  call: (world: World, origin: string) => DialogCall;
  /** What is drawn of it. */
  view: (drawing: Drawing) => JSXElement | PagedView;
  /** What is answered when it is approved. */
  result: unknown;
  /** What the world is like for this one. */
  prepare?: (world: World) => void | Promise<void>;
};

/** A signature, as it is answered. */
export const SIGNATURE = expect.stringMatching(/^0x[0-9a-f]{130}$/u) as string;

/** A hash, as it is answered. */
export const HASH = expect.stringMatching(/^0x[0-9a-f]{64}$/u) as string;

const REFUSED = { code: 4001, message: 'The user refused the request.' };

const AGES = Array.from({ length: 20 }, (_, second) => second * 1_000);

/** Test dialogs, all of them on one snap. */
export function describeDialogs(rows: Record<string, DialogRow>): void {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(async () => {
    await world.stop();
  });

  describe.each(Object.entries(rows))('the dialog of %s', (_what, row) => {
    beforeAll(async () => {
      await row.prepare?.(world);
    });

    it.each(['refuse', 'close'] as const)(
      'does nothing if its user does: %s',
      async (how) => {
        const { sent, ask } = world;
        const before = sent.length;
        const { answer } = await ask(row.call(world, sites[how]), how);
        expect(refusalIn(answer)).toStrictEqual(REFUSED);
        expect(sent).toHaveLength(before);
      },
    );

    it('is drawn as its view, and approved', async () => {
      const origin = sites.approve;
      // Approving changes what there is, such as who was granted what.
      const drawing = { ...world, origin, account: world.eoa.address as Hex };
      const { answer, content } = await world.ask(row.call(world, origin), 'approve');
      const views = AGES.map((age) => drawPage(row.view({ ...drawing, age })));
      const fitting = views.find((view) =>
        isDeepStrictEqual(plain(view), plain(content)),
      );
      expect({ content }).toRender(
        fitting ?? drawPage(row.view({ ...drawing, age: 0 })),
      );
      expect(resultIn(answer)).toEqual(row.result);
    });
  });
}

// Without what is undefined, which the wallet leaves out.
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
