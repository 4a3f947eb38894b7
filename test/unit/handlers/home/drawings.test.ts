import { createDrawings } from '../../../../src/handlers/home/drawings';

/** A page, and drawings that put their name on it. */
function setup(): {
  drawings: ReturnType<typeof createDrawings>;
  page: string[];
  draw: (name: string) => () => Promise<void>;
} {
  const page: string[] = [];
  const draw = (name: string) => async (): Promise<void> => {
    await Promise.resolve();
    page.push(name);
  };
  return { drawings: createDrawings(), page, draw };
}

describe('createDrawings', () => {
  it('puts all steps of what was asked for last', async () => {
    const { drawings, page, draw } = setup();
    const put = drawings.begin();
    expect([await put(draw('known')), await put(draw('all'))]).toStrictEqual([
      true,
      true,
    ]);
    expect(page).toStrictEqual(['known', 'all']);
  });

  it('leaves out what was asked for earlier', async () => {
    const { drawings, page, draw } = setup();
    const first = drawings.begin();
    await first(draw('first, known'));
    const second = drawings.begin();
    expect(await first(draw('first, all'))).toBe(false);
    expect(await second(draw('second'))).toBe(true);
    expect(page).toStrictEqual(['first, known', 'second']);
  });

  it('puts what nobody asked for while nobody asks', async () => {
    const { drawings, page, draw } = setup();
    await drawings.begin()(draw('asked'));
    expect(await drawings.beginUnasked()(draw('unasked'))).toBe(true);
    expect(page).toStrictEqual(['asked', 'unasked']);
  });

  it.each<[string, (bench: ReturnType<typeof setup>) => Promise<[Put, Put]>]>([
    [
      'asked for before it began, and is put after',
      async ({ drawings }) => {
        const asked = drawings.begin();
        return Promise.resolve([asked, drawings.beginUnasked()]);
      },
    ],
    [
      'asked for after it began',
      async ({ drawings }) => {
        const unasked = drawings.beginUnasked();
        return Promise.resolve([drawings.begin(), unasked]);
      },
    ],
  ])('gives way to what is %s', async (_when, begin) => {
    const bench = setup();
    const [asked, unasked] = await begin(bench);
    await asked(bench.draw('asked'));
    expect(await unasked(bench.draw('unasked'))).toBe(false);
    expect(bench.page).toStrictEqual(['asked']);
  });

  it('gives way where it began while a page was changing', async () => {
    const { drawings, page, draw } = setup();
    const changing = drawings.begin()(draw('asked'));
    const unasked = drawings.beginUnasked();
    await changing;
    expect(await unasked(draw('unasked'))).toBe(false);
    expect(page).toStrictEqual(['asked']);
  });
});

type Put = ReturnType<ReturnType<typeof createDrawings>['begin']>;
