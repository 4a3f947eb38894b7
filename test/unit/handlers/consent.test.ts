import { Text } from '@metamask/snaps-sdk/jsx';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import { createConsent } from '../../../src/handlers/consent';
import type { Consent } from '../../../src/handlers/consent';
import type { RenderConfirmation } from '../../../src/methods/confirmation';
import { createGate, settle } from '../../support/gate';
import { contextOf, refusalOf } from '../../support/refusal';
import { translate } from '../../support/view';

const DAPP = 'https://dapp.example';

const refused = { code: 4001, message: 'The user refused the request.' };

const tooMany = {
  code: -32005,
  message: 'Too many confirmations are open; answer or close them first.',
};

type Bench = { consent: Consent; shown: JSXElement[] };

function setup(showDialog: () => Promise<Json>): Bench {
  const shown: JSXElement[] = [];
  const consent = createConsent({
    dialogs: {
      show: async (confirmation) => {
        shown.push((confirmation as RenderConfirmation)(translate));
        return showDialog();
      },
    },
    loadTranslate: () => Promise.resolve(translate),
  });
  return { consent, shown };
}

const draw = (): JSXElement => Text({ children: 'Sign?' });

describe('asking for consent', () => {
  it('shows the dialog and gives what was filled in', async () => {
    const values = { account: true };
    const { consent, shown } = setup(() => Promise.resolve({ approved: true, values }));
    expect(await consent.require(DAPP, draw)).toStrictEqual(values);
    expect(shown).toStrictEqual([draw()]);
  });

  it.each<[string, Json]>([
    ['refused', { approved: false, values: {} }],
    ['closed', null],
  ])('throws that the user refused if the dialog was %s', async (_how, answer) => {
    const { consent } = setup(() => Promise.resolve(answer));
    expect(await refusalOf(consent.require(DAPP, draw))).toStrictEqual(refused);
  });

  it.each<Json>([
    true,
    'approved',
    1,
    [],
    {},
    { approved: true },
    { approved: 'true', values: {} },
    { approved: 1, values: {} },
    { approved: true, values: null },
    { approved: true, values: {}, more: 1 },
    [{ approved: true, values: {} }],
  ])('takes no other answer for a yes: %j', async (answer) => {
    const { consent } = setup(() => Promise.resolve(answer));
    expect(await refusalOf(consent.require(DAPP, draw))).toStrictEqual(refused);
  });

  it('shows nothing if the texts cannot be had, and is free again', async () => {
    const consent = createConsent({
      dialogs: { show: () => Promise.reject(new Error('shown')) },
      loadTranslate: () => Promise.reject(new Error('no texts')),
    });
    for (let time = 0; time < 30; time += 1) {
      await expect(consent.require(DAPP, draw)).rejects.toThrow(new Error('no texts'));
    }
  });

  it('fails as the drawing does, and is free again', async () => {
    const { consent, shown } = setup(() => Promise.resolve(null));
    const failing = (): never => {
      throw new Error('not drawn');
    };
    for (let time = 0; time < 30; time += 1) {
      await expect(consent.require(DAPP, failing)).rejects.toThrow(
        new Error('not drawn'),
      );
    }
    expect(shown).toStrictEqual([]);
  });
});

describe('the limit of open dialogs', () => {
  it('is five for an origin, and others still get theirs', async () => {
    const { opened, open } = createGate();
    const { consent, shown } = setup(async () => {
      await opened;
      return { approved: true, values: {} };
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

  it('is twenty for all, and says when to come back', async () => {
    const { opened, open } = createGate();
    const { consent } = setup(async () => {
      await opened;
      return null;
    });
    const asking = Array.from({ length: 20 }, (_each, index) =>
      refusalOf(consent.require(`https://${Math.floor(index / 5)}.example`, draw)),
    );
    const late = (): Promise<unknown> => consent.require('https://late.example', draw);
    expect(await refusalOf(late())).toStrictEqual(tooMany);
    expect(await contextOf(late())).toStrictEqual({ rate: { backoff_seconds: 1 } });
    open();
    expect(await Promise.all(asking)).toStrictEqual(Array<unknown>(20).fill(refused));
    expect(await refusalOf(late())).toStrictEqual(refused);
  });
});
