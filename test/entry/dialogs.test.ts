// How often a site may open dialogs, and in which language MetaMask shows them.
import type { Json } from '@metamask/utils';

import { ConnectConfirmation } from '../../src/ui/access';
import type { Translate } from '../../src/ui/i18n';
import { callersOf } from '../support/callers';
import { createGate, settle } from '../support/gate';
import { openHome } from '../support/home-bench';
import { expectRefusal, refusalOf } from '../support/refusal';
import {
  approve,
  createAccount,
  createTestApp,
  DAPP,
  refuse,
  whileDialogOpen,
  OTHER_SITE,
} from '../support/test-app';
import type { TestApp } from '../support/test-app';
import { english, textsOf } from '../support/view';

async function setup(edges?: TestApp['edges']) {
  const app = createTestApp(edges);
  if (!edges) await createAccount(app);
  const { clock, dialogs } = app.edges;
  const { rpc } = callersOf(app);
  const call = async (origin: string): Promise<unknown> =>
    rpc(origin, 'wallet_requestPermissions', [{ eth_accounts: {} }]);
  const findRefusal = async (request: Promise<unknown>) =>
    request.then(
      () => undefined,
      async (error: unknown) => refusalOf(Promise.reject(error as Error)),
    );
  const ask = async (origin: string = DAPP) => findRefusal(call(origin));
  return {
    app,
    ask,
    /** Requests a signature, which always opens a dialog of its own. */
    sign: async (origin: string = DAPP) => {
      const [address] = (await rpc(origin, 'eth_accounts')) as string[];
      return findRefusal(rpc(origin, 'personal_sign', ['0x01', address]));
    },
    /** Opens and refuses `count` dialogs, one second apart. */
    refuseDialogs: async (count: number, origin: string = DAPP) => {
      dialogs.answer = refuse;
      for (let dialog = 0; dialog < count; dialog += 1) {
        clock.time += 1_000;
        expect(await ask(origin)).toHaveProperty('code', 4001);
      }
      dialogs.answer = approve;
    },
    /** Returns how many seconds the site has to wait, or undefined if it gets a dialog. */
    findWait: async (origin: string = DAPP) => {
      const shown = dialogs.shown.length;
      const error: unknown = await call(origin).catch((thrown: unknown) => thrown);
      if (!(error instanceof Error)) return undefined;
      expect(dialogs.shown).toHaveLength(shown);
      const { data } = error as { data?: { rate: { backoff_seconds: number } } };
      return data?.rate.backoff_seconds;
    },
    stored: () =>
      Object.keys((app.edges.backend.document as { refusals: object }).refusals),
  };
}

describe('a site whose dialogs are refused', () => {
  it('has to wait exactly 30 s after the third refusal, unlike other sites', async () => {
    const { app, ask, refuseDialogs, findWait } = await setup();
    await refuseDialogs(3);
    expect(await ask()).toStrictEqual({
      code: -32005,
      message:
        '3 or more dialogs of this origin were refused in a row; it may open the next one in 30 s.',
    });
    expect(await findWait(OTHER_SITE)).toBeUndefined();
    app.edges.clock.time += 29_999;
    expect(await findWait()).toBe(1);
    app.edges.clock.time += 1;
    expect(await findWait()).toBeUndefined();
  });

  it('waits twice as long after each further refusal, up to an hour', async () => {
    const { app, refuseDialogs, findWait } = await setup();
    await refuseDialogs(3);
    const waits = [];
    for (let refusal = 0; refusal < 9; refusal += 1) {
      const wait = (await findWait()) ?? 0;
      waits.push(wait);
      app.edges.clock.time += wait * 1_000;
      await refuseDialogs(1);
    }
    expect(waits).toStrictEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
  });

  it('starts over after an approval', async () => {
    const { app, ask, refuseDialogs, findWait, stored } = await setup();
    await refuseDialogs(3);
    app.edges.clock.time += 30_000;
    await refuseDialogs(1);
    app.edges.clock.time += 60_000;
    expect(await ask()).toBeUndefined();
    expect(stored()).toStrictEqual([]);
    await refuseDialogs(2);
    expect(await findWait()).toBeUndefined();
  });

  it('keeps its count of refusals for a day once it had to wait', async () => {
    const { app, refuseDialogs, findWait } = await setup();
    await refuseDialogs(3);
    app.edges.clock.time += 23 * 3_600_000;
    await refuseDialogs(1);
    expect(await findWait()).toBe(60);
    app.edges.clock.time += 24 * 3_600_000;
    await refuseDialogs(1);
    expect(await findWait()).toBeUndefined();
  });

  it('still has to wait after the snap restarts', async () => {
    const { app, refuseDialogs } = await setup();
    await refuseDialogs(3);
    app.edges.clock.time += 7_000;
    expect(await (await setup(app.edges)).findWait()).toBe(23);
  });

  it.each([
    'personal_sign',
    'eth_signTypedData_v4',
    'eth_sendTransaction',
    'eth_sendUserOperation',
    'wallet_sendCalls',
    'wallet_showCallsStatus',
    'wallet_requestPermissions',
    'eth_requestAccounts',
    'wallet_connect',
  ])('cannot call %s, which is rejected before the params are read', async (method) => {
    const { app, refuseDialogs } = await setup();
    await refuseDialogs(3);
    let reads = 0;
    const count = (): never => {
      reads += 1;
      throw new Error('The params were read.');
    };
    const handler = { get: count, has: count, ownKeys: count, getPrototypeOf: count };
    const params = new Proxy({}, handler);
    const request = callersOf(app).rpc(DAPP, method, params);
    await expectRefusal(request, -32005, 'it may open the next one in 30 s');
    expect(reads).toBe(0);
  });

  it.each([(each: Json) => [each], (each: Json) => ({ params: [each] })])(
    'cannot sign in even if connected, and the sign-in is not read (%#)',
    async (wrap) => {
      const { app, ask, refuseDialogs } = await setup();
      expect(await ask()).toBeUndefined();
      await refuseDialogs(3);
      // The nonce is invalid, so reading it would cause another error.
      const signIn = { capabilities: { signInWithEthereum: { nonce: 7 } } };
      const request = callersOf(app).rpc(DAPP, 'wallet_connect', wrap(signIn));
      await expectRefusal(request, -32005);
    },
  );

  it('gets its granted accounts without a dialog', async () => {
    const { app, ask, refuseDialogs } = await setup();
    expect(await ask()).toBeUndefined();
    await refuseDialogs(3);
    const { rpc } = callersOf(app);
    const [address] = (await rpc(DAPP, 'eth_requestAccounts')) as string[];
    expect(await rpc(DAPP, 'wallet_connect', [{}])).toStrictEqual({
      accounts: [{ address, capabilities: {} }],
    });
  });

  it('is charged one refusal for dialogs that were open together', async () => {
    const { app, ask, sign, findWait } = await setup();
    await ask();
    const { dialogs } = app.edges;
    for (let round = 0; round < 3; round += 1) {
      const { opened, open } = createGate();
      dialogs.answer = async () => opened.then(() => null);
      const requests = [sign(), sign(), sign()];
      await settle();
      open();
      for (const refused of await Promise.all(requests)) {
        expect(refused).toHaveProperty('code', 4001);
      }
    }
    dialogs.answer = approve;
    expect(await findWait()).toBe(30);
  });

  it('is charged another refusal for a dialog that opened after the last counted refusal', async () => {
    const { app, ask, sign, findWait } = await setup();
    await ask();
    const { dialogs } = app.edges;
    const gates = Array.from({ length: 6 }, createGate);
    const waiting = gates.values();
    dialogs.answer = async () => {
      await waiting.next().value?.opened;
      return null;
    };
    const requests = [sign()];
    // Two dialogs are open at any time.
    for (const { open } of gates.slice(0, 5)) {
      requests.push(sign());
      await settle();
      open();
      await settle();
    }
    gates[5]?.open();
    expect(await Promise.all(requests)).toHaveLength(6);
    dialogs.answer = approve;
    expect(await findWait()).toBe(30);
  });

  it('does not have to wait after the clock was set back', async () => {
    const { app, refuseDialogs, findWait } = await setup();
    await refuseDialogs(3);
    app.edges.clock.time -= 3_600_000;
    await refuseDialogs(1);
    expect(await findWait()).toBeUndefined();
  });

  it('is remembered for a minute after a refusal if it is among the newest 100', async () => {
    const { app, refuseDialogs, stored } = await setup();
    for (let site = 0; site < 102; site += 1) {
      await refuseDialogs(1, `https://${site}.example`);
      app.edges.clock.time -= 900;
    }
    expect(stored()).toHaveLength(100);
    expect(stored()[0]).toBe('https://2.example');
    expect(stored().at(-1)).toBe('https://101.example');
    app.edges.clock.time += 60_000;
    await refuseDialogs(1);
    expect(stored()).toStrictEqual([DAPP]);
  });

  it('gets its answer even if the refusal cannot be stored', async () => {
    const { app, ask } = await setup();
    const { backend, dialogs } = app.edges;
    dialogs.answer = async () => {
      backend.failNextSave = new Error('disk full');
      return Promise.resolve(null);
    };
    expect(await ask()).toHaveProperty('code', 4001);
  });
});

describe('open dialogs', () => {
  it('are limited to 5 per site and 20 in total', async () => {
    const { app, ask, sign } = await setup();
    const sites = [DAPP, OTHER_SITE, 'https://3.example', 'https://4.example'];
    for (const site of sites) await ask(site);
    app.edges.dialogs.shown.length = 0;
    const { opened, open } = createGate();
    app.edges.dialogs.answer = async () => opened.then(() => null);
    const requests = sites.flatMap((site) =>
      Array.from({ length: 5 }, async () => sign(site)),
    );
    await settle();
    const tooMany = {
      code: -32005,
      message: 'Too many confirmations are open; answer or close them first.',
    };
    expect(await ask()).toStrictEqual(tooMany);
    expect(await ask('https://late.example')).toStrictEqual(tooMany);
    const late = callersOf(app).rpc('https://late.example', 'eth_requestAccounts');
    const error: unknown = await late.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      data: { retryAfter: 1, rate: { backoff_seconds: 1 } },
    });
    // Dialogs that the user opens in the wallet have a separate limit.
    const options = {
      type: 'eip155:erc4337',
      entryPoint: '0.6',
      factory: `0x${'ba'.repeat(20)}`,
    };
    Object.assign(app.edges.wallet.answers, {
      eth_getCode: '0x60',
      eth_call: `0x${'0'.repeat(24)}${'ee'.repeat(20)}`,
    });
    const { keyring } = callersOf(app);
    const created = refusalOf(
      keyring('metamask', 'keyring_createAccount', { options }),
    );
    await settle();
    expect(app.edges.dialogs.shown).toHaveLength(21);
    open();
    expect(await created).toHaveProperty('code', 4001);
    for (const refused of await Promise.all(requests)) {
      expect(refused).toHaveProperty('code', 4001);
    }
    expect(await ask('https://late.example')).toHaveProperty('code', 4001);
  });

  it('survive a failing simulation, whether or not they open', async () => {
    const { services, edges } = createTestApp();
    const { consent } = services;
    const confirmation = {
      takeSnapshot: () => ({
        tasks: [],
        draw: (translate: Translate) =>
          ConnectConfirmation({ translate, origin: DAPP, accounts: [] }),
      }),
      pending: async () => Promise.reject(new Error('no simulation')),
    };
    // The core captured the draw function when it started, so the failure has to come from a lower
    // layer.
    jest.spyOn(edges.screens, 'set').mockImplementationOnce(() => {
      throw new Error('no interface');
    });
    await expect(consent.require(DAPP, confirmation)).rejects.toThrow('no interface');
    await settle();
    const { opened, open } = createGate();
    whileDialogOpen(edges, async () => opened);
    const answers = [DAPP, OTHER_SITE].map(async (origin) =>
      consent.require(origin, confirmation),
    );
    await settle();
    open();
    expect(await Promise.all(answers)).toHaveLength(2);
  });

  it('are not shown if their texts cannot be read, and do not count as open', async () => {
    const { app, ask } = await setup();
    const { shipped, dialogs } = app.edges;
    const { read } = shipped;
    for (const file of [null, '{"yes": 1}', '"text"', '7', '{']) {
      shipped.read = async () => Promise.resolve(file);
      expect(await ask()).toHaveProperty('code', -32603);
    }
    shipped.read = async () => Promise.reject(new Error('locked'));
    expect(await ask()).toHaveProperty('code', -32603);
    expect(dialogs.shown).toStrictEqual([]);
    shipped.read = read;
    expect(await ask()).toBeUndefined();
  });
});

describe('the language', () => {
  /** Draws the home page's gas tab in a locale, and returns its texts and the paths read. */
  async function drawIn(
    locale: string,
    texts: Record<string, unknown> | string | null | Error,
    write: (all: object) => unknown = (all) => all,
  ): Promise<{ drawn: string[]; paths: string[] }> {
    const app = createTestApp();
    const { shipped } = app.edges;
    const { read } = shipped;
    const paths: string[] = [];
    shipped.locale = async () => Promise.resolve(locale);
    shipped.read = async (path) => {
      paths.push(path);
      if (path.endsWith('/en.json')) return read(path);
      if (texts instanceof Error) throw texts;
      return texts !== null && typeof texts === 'object'
        ? JSON.stringify(write({ ...english, ...texts }))
        : texts;
    };
    const home = await openHome(app);
    await home.wake();
    return { drawn: textsOf(home.page()), paths };
  }

  const TITLE = 'Der Gasmarkt';

  it.each([
    ['de', 'de'],
    ['de_AT', 'de'],
    ['es-419', 'es'],
    ['pt_BR', 'pt'],
    ['zh_CN', 'zh_CN'],
  ])('is chosen by the locale %s: the file %s', async (locale, file) => {
    const { drawn, paths } = await drawIn(locale, { 'gas.title': TITLE });
    expect(drawn).toContain(TITLE);
    expect(paths).toStrictEqual(['locales/ui/en.json', `locales/ui/${file}.json`]);
  });

  it('is read from a file that lists the texts without keys', async () => {
    const { drawn } = await drawIn('de', { 'gas.title': TITLE }, Object.values);
    expect(drawn).toContain(TITLE);
  });

  it.each(['xx', '', 'zh_TW', '__proto__', 'constructor'])(
    'is English for the locale %j, which has no file',
    async (locale) => {
      const { drawn, paths } = await drawIn(locale, { 'gas.title': TITLE });
      expect(drawn).toContain(english['gas.title']);
      expect(paths).toStrictEqual(['locales/ui/en.json']);
    },
  );

  it.each<[string | null | Error]>([
    [null],
    ['{'],
    ['7'],
    ['{"yes": 1}'],
    ['["Ja"]'],
    [new Error('no')],
  ])('is English if the file contains %p', async (file) => {
    expect((await drawIn('de', file)).drawn).toContain(english['gas.title']);
  });

  it('is English only for missing texts', async () => {
    const { drawn } = await drawIn('de', {
      'gas.title': TITLE,
      'unit.gwei': undefined,
    });
    expect(drawn).toEqual(expect.arrayContaining([TITLE, '1 gwei']));
  });

  it('may move and repeat placeholders', async () => {
    const { drawn } = await drawIn('de', { 'unit.gwei': 'Gwei: {amount} {amount}' });
    expect(drawn).toContain('Gwei: 1 1');
  });

  it('is looked up for each dialog, loaded once, and English if the look-up fails', async () => {
    const { app, ask } = await setup();
    const { shipped, dialogs } = app.edges;
    const { read } = shipped;
    const paths: string[] = [];
    shipped.read = async (path) => {
      paths.push(path);
      return path.endsWith('/de.json')
        ? JSON.stringify({ ...english, 'connect.title': 'Konten' })
        : read(path);
    };
    const titles: (string | undefined)[] = [];
    for (const locale of ['de', 'en', 'de', '']) {
      shipped.locale = async () =>
        locale === ''
          ? Promise.reject(new Error('no method'))
          : Promise.resolve(locale);
      await ask();
      titles.push(textsOf(dialogs.shown.at(-1))[0]);
    }
    expect(titles).toStrictEqual(['Konten', titles[1], 'Konten', titles[1]]);
    expect(paths).toStrictEqual(
      ['en', 'de', 'en'].map((each) => `locales/ui/${each}.json`),
    );
  });
});
