import { Text } from '@metamask/snaps-sdk/jsx';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import { LimitExceededError } from '../../../src/errors';
import { createConsent } from '../../../src/handlers/consent';
import type { Consent } from '../../../src/handlers/consent';
import type { CoolDown } from '../../../src/handlers/cool-down';
import { createGate, settle } from '../../support/gate';
import { contextOf, refusalOf } from '../../support/refusal';
import { translate } from '../../support/view';

const DAPP = 'https://dapp.example';

const refused = { code: 4001, message: 'The user refused the request.' };

const tooMany = {
  code: -32005,
  message: 'Too many confirmations are open; answer or close them first.',
};

/** What was approved, if anything was. */
type Answer = { approved: unknown } | undefined;

type Bench = {
  consent: Consent;
  shown: unknown[];
  noted: [origin: string, isApproved: boolean][];
};

/** Lets everybody ask, and is told how it ended. */
function createNotes(noted: Bench['noted'] = []): CoolDown {
  return {
    assertOver: () => Promise.resolve(),
    note: (...note) => {
      noted.push(note);
      return Promise.resolve();
    },
  };
}

function setup(showDialog: () => Promise<Answer>): Bench {
  const shown: unknown[] = [];
  const noted: Bench['noted'] = [];
  const consent = createConsent({
    dialogs: {
      show: async <Approved>(asking: unknown) => {
        shown.push(asking);
        return (await showDialog()) as { approved: Approved } | undefined;
      },
    },
    loadTranslate: () => Promise.resolve(translate),
    coolDown: createNotes(noted),
    now: () => 0,
  });
  return { consent, shown, noted };
}

const draw = (): JSXElement => Text({ children: 'Sign?' });

describe('asking for consent', () => {
  it('shows the dialog and gives what was filled in', async () => {
    const values = { account: true };
    const { consent, shown } = setup(() => Promise.resolve({ approved: values }));
    expect(await consent.require(DAPP, draw)).toStrictEqual(values);
    expect(shown).toStrictEqual([draw]);
  });

  it('throws that the user refused if the dialog was refused or closed', async () => {
    const { consent } = setup(() => Promise.resolve(undefined));
    expect(await refusalOf(consent.require(DAPP, draw))).toStrictEqual(refused);
  });

  it('shows nothing if the texts cannot be had, and is free again', async () => {
    const consent = createConsent({
      dialogs: { show: () => Promise.reject(new Error('shown')) },
      loadTranslate: () => Promise.reject(new Error('no texts')),
      coolDown: createNotes(),
      now: () => 0,
    });
    for (let time = 0; time < 30; time += 1) {
      await expect(consent.require(DAPP, draw)).rejects.toThrow(new Error('no texts'));
    }
  });
});

describe('an origin whose dialogs are refused', () => {
  it('is noted with every answer to a question', async () => {
    const answers: Answer[] = [{ approved: {} }, undefined, undefined];
    const { consent, noted } = setup(() => Promise.resolve(answers.shift()));
    await consent.require(DAPP, draw);
    await refusalOf(consent.require(DAPP, draw));
    await consent.show(DAPP, draw);
    expect(noted).toStrictEqual([
      [DAPP, true],
      [DAPP, false],
    ]);
  });

  it('is asked nothing while it has to wait', async () => {
    const wait = { code: -32005, message: 'Wait.' };
    const consent = createConsent({
      dialogs: { show: () => Promise.reject(new Error('shown')) },
      loadTranslate: () => Promise.resolve(translate),
      coolDown: {
        ...createNotes(),
        assertOver: () => Promise.reject(new LimitExceededError(wait.message)),
      },
      now: () => 0,
    });
    expect(await refusalOf(consent.require(DAPP, draw))).toStrictEqual(wait);
    expect(await refusalOf(consent.show(DAPP, draw))).toStrictEqual(wait);
  });

  it('gets its answer even if that cannot be noted', async () => {
    const answers: Answer[] = [{ approved: { fee: 'high' } }, undefined];
    const consent = createConsent({
      dialogs: {
        show: async <Approved>() =>
          Promise.resolve(answers.shift() as { approved: Approved } | undefined),
      },
      loadTranslate: () => Promise.resolve(translate),
      coolDown: {
        ...createNotes(),
        note: () => Promise.reject(new Error('disk full')),
      },
      now: () => 0,
    });
    expect(await consent.require(DAPP, draw)).toStrictEqual({ fee: 'high' });
    expect(await refusalOf(consent.require(DAPP, draw))).toStrictEqual(refused);
  });
});

describe('the limit of open dialogs', () => {
  it('is five for an origin, and others still get theirs', async () => {
    const { opened, open } = createGate();
    const { consent, shown } = setup(async () => {
      await opened;
      return { approved: {} };
    });
    const five = Array.from({ length: 5 }, () => consent.require(DAPP, draw));
    expect(await refusalOf(consent.require(DAPP, draw))).toStrictEqual(tooMany);
    const other = consent.require('https://other.example', draw);
    await settle();
    expect(shown).toHaveLength(6);
    open();
    await Promise.all([...five, other]);
    expect(await consent.require(DAPP, draw)).toStrictEqual({});
  });

  it('is twenty for all sites, but not for MetaMask, and says when to come back', async () => {
    const { opened, open } = createGate();
    const { consent } = setup(async () => {
      await opened;
      return undefined;
    });
    const asking = Array.from({ length: 20 }, (_each, index) =>
      refusalOf(consent.require(`https://${Math.floor(index / 5)}.example`, draw)),
    );
    const late = (): Promise<unknown> => consent.require('https://late.example', draw);
    expect(await refusalOf(late())).toStrictEqual(tooMany);
    expect(await contextOf(late())).toStrictEqual({ rate: { backoff_seconds: 1 } });
    const ofMetaMask = refusalOf(consent.require('metamask', draw));
    await settle();
    open();
    expect(await ofMetaMask).toStrictEqual(refused);
    expect(await Promise.all(asking)).toStrictEqual(Array<unknown>(20).fill(refused));
    expect(await refusalOf(late())).toStrictEqual(refused);
  });
});
