import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import type { Json } from '@metamask/utils';

import type { Hex } from '../../src/eth/hex';
import { findDomainChainId, parseTypedData } from '../../src/eth/typed-data';
import { TypedDataConfirmation } from '../../src/ui/confirm/typed-data';
import { TypedEntriesConfirmation } from '../../src/ui/confirm/typed-entries';
import { permit } from '../fixtures/trust/shapes';
import { DAPP, installBench, refusalIn, resultIn } from '../support/snap-bench';
import type { Answer, Clicks } from '../support/snap-bench';
import { mailOf } from '../support/typed-data';
import { textOf, translate, warningsOf } from '../support/view';

const ENTRIES = [{ name: 'Amount', type: 'uint32', value: '1337' }];

type Bench = {
  account: Hex;
  sign: (
    version: 'v1' | 'v4',
    data: Json,
    clicks: Clicks,
  ) => Promise<{ answer: Answer; content: JSXElement }>;
};

async function setup(): Promise<Bench> {
  const { create, confirm } = await installBench();
  const account = (await create()).address as Hex;
  await confirm({ method: 'eth_requestAccounts' }, ['approve']);
  return {
    account,
    sign: (version, data, clicks) =>
      confirm(
        { method: `eth_signTypedData_${version}`, params: [account, data] },
        clicks,
      ),
  };
}

describe('the dialog of typed data', () => {
  it('is drawn as its view, and signs when it is approved', async () => {
    const { sign, account } = await setup();
    const { answer, content } = await sign('v4', mailOf(), ['approve']);
    const data = parseTypedData(mailOf(), 'data');
    const view = TypedDataConfirmation({
      translate,
      origin: DAPP,
      account,
      chainId: findDomainChainId(data, 'data'),
      data,
    });
    expect({ content }).toRender(view);
    expect(resultIn(answer)).toMatch(/^0x[0-9a-f]{130}$/u);
  });

  it('says what a permit allows, and signs nothing when it is refused', async () => {
    const { sign } = await setup();
    const data = permit({ value: String(2n ** 256n - 1n) });
    const { answer, content } = await sign('v4', data, ['refuse']);
    expect(warningsOf(content)).toStrictEqual(
      expect.arrayContaining([textOf('shape.permit'), textOf('typed.unlimited')]),
    );
    expect(refusalIn(answer)).toHaveProperty('code', 4001);
  });
});

describe('the dialog of typed data of version 1', () => {
  it('is drawn as its view, and signs when it is approved', async () => {
    const { sign, account } = await setup();
    const { answer, content } = await sign('v1', ENTRIES, ['approve']);
    const view = TypedEntriesConfirmation({
      translate,
      origin: DAPP,
      account,
      chainId: undefined,
      data: ENTRIES,
    });
    expect({ content }).toRender(view);
    expect(resultIn(answer)).toMatch(/^0x[0-9a-f]{130}$/u);
  });

  it('signs nothing when it is refused', async () => {
    const { sign } = await setup();
    const { answer } = await sign('v1', ENTRIES, ['refuse']);
    expect(refusalIn(answer)).toHaveProperty('code', 4001);
  });
});
