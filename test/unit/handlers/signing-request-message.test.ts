// Which account a dapp's personal_sign is for, in whichever order its params come.
import { stringToHex, verifyMessage } from 'viem';
import type { Hex } from 'viem';

import { callersOf } from '../../support/callers';
import type { Callers } from '../../support/callers';
import { refusalOf } from '../../support/refusal';
import { createAccount, createTestApp, DAPP } from '../../support/test-app';

type Bench = Callers & { granted: Hex; other: Hex };

/** A dapp that was granted one of two accounts. */
async function setup(): Promise<Bench> {
  const app = createTestApp();
  const { id, address } = await createAccount(app);
  const other = await createAccount(app);
  await app.services.grants.set(DAPP, [id]);
  return {
    ...callersOf(app),
    granted: address as Hex,
    other: other.address as Hex,
  };
}

describe("a dapp's message", () => {
  it.each(['hello', stringToHex('hello')])(
    'is signed by the granted account wherever its address stands: %j',
    async (message) => {
      const { rpc, granted } = await setup();
      for (const params of [
        [message, granted],
        [granted, message],
      ]) {
        const signature = (await rpc(DAPP, 'personal_sign', params)) as Hex;
        const signed = { address: granted, message: 'hello', signature };
        expect(await verifyMessage(signed)).toBe(true);
      }
    },
  );

  it('may be the address of an account that was not granted, in either order', async () => {
    const { rpc, granted, other } = await setup();
    for (const params of [
      [other, granted],
      [granted, other],
    ]) {
      const signature = (await rpc(DAPP, 'personal_sign', params)) as Hex;
      const signed = { address: granted, message: { raw: other }, signature };
      expect(await verifyMessage(signed)).toBe(true);
    }
  });

  it('is signed by no account that was not granted', async () => {
    const { rpc, other } = await setup();
    for (const params of [
      ['hello', other],
      [other, 'hello'],
      [other, other],
    ]) {
      expect(await refusalOf(rpc(DAPP, 'personal_sign', params))).toHaveProperty(
        'code',
        4100,
      );
    }
  });
});
