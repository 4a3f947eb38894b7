import { isHex, stringToHex } from 'viem';
import type { Hex } from 'viem';

import { refusalOf } from '../../support/refusal';
import { createSignBench } from '../../support/sign-bench';
import type { SignBench } from '../../support/sign-bench';
import { writeView } from '../../support/view';

const OTHER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const METHOD = 'personal_sign';

type Bench = SignBench & { account: string; address: string };

async function setup(): Promise<Bench> {
  const bench = createSignBench();
  const { id, address } = await bench.create();
  return { ...bench, account: id, address };
}

describe('personal_sign', () => {
  it.each<[string, Hex]>([
    ['a text', stringToHex('hello')],
    ['no text', '0x'],
    ['text beyond ASCII', stringToHex('grüße 🎉 \u202e')],
    ['bytes that are no text', '0xff00fe'],
    ['a hash', `0x${'12'.repeat(32)}`],
  ])('signs %s as EIP-191 says', async (_what, raw) => {
    const { sign, owner, account, address } = await setup();
    const signature = await sign({ account, method: METHOD, params: [raw, address] });
    expect(signature).toBe(await owner.signMessage({ message: { raw } }));
  });

  it.each(['hello', '0xhello', 'grüße', '1234'])(
    'signs the text %j that was not written as hex',
    async (message) => {
      const { sign, owner, account, address } = await setup();
      const params = [message, address];
      const signature = await sign({ account, method: METHOD, params });
      expect(signature).toBe(await owner.signMessage({ message }));
    },
  );

  it('takes the address with its checksum', async () => {
    const { sign, owner, account } = await setup();
    const params = ['0x', owner.address];
    expect(await sign({ account, method: METHOD, params })).toMatch(/^0x/u);
  });

  it('asks the user, and shows who asks, for which account, and what', async () => {
    const { sign, account, address, consents } = await setup();
    const params = [stringToHex('hello'), address];
    await sign({ account, method: METHOD, params });
    const view = writeView(consents.asked);
    for (const part of ['https://dapp.example', address, 'hello', '0x68656c6c6f']) {
      expect(view).toContain(part);
    }
    expect(consents.asked).toHaveLength(1);
  });

  it('signs nothing if the user refuses', async () => {
    const { sign, account, address, consents } = await setup();
    consents.isGiven = false;
    const signing = sign({ account, method: METHOD, params: ['0x', address] });
    expect(await refusalOf(signing)).toStrictEqual({
      code: 4001,
      message: 'The user refused the request.',
    });
  });

  it.each([stringToHex('hello'), 'hello', OTHER, '0x'])(
    'signs %j also if the address comes first',
    async (message) => {
      const { sign, owner, account, address } = await setup();
      const swapped = await sign({
        account,
        method: METHOD,
        params: [address, message],
      });
      expect(swapped).toBe(
        await sign({ account, method: METHOD, params: [message, address] }),
      );
      const raw = isHex(message) ? { raw: message } : message;
      expect(swapped).toBe(await owner.signMessage({ message: raw }));
    },
  );

  it('takes the second for the address if both are', async () => {
    const { sign, owner, account, address } = await setup();
    const params = [address, address];
    expect(await sign({ account, method: METHOD, params })).toBe(
      await owner.signMessage({ message: { raw: address as Hex } }),
    );
  });

  it('signs for no other account, whichever place its address has', async () => {
    const { sign, account, address, consents } = await setup();
    const signing = sign({ account, method: METHOD, params: [OTHER, 'hello'] });
    expect(await refusalOf(signing)).toStrictEqual({
      code: -32602,
      message: `The address is ${OTHER}, but the request is for the account ${address}.`,
    });
    expect(consents.asked).toHaveLength(0);
  });

  it('refuses the address of another account, and asks nobody', async () => {
    const { sign, account, address, consents } = await setup();
    const signing = sign({ account, method: METHOD, params: ['0x', OTHER] });
    expect(await refusalOf(signing)).toStrictEqual({
      code: -32602,
      message: `The address is ${OTHER}, but the request is for the account ${address}.`,
    });
    expect(consents.asked).toHaveLength(0);
  });

  const noAddress =
    'a 20-byte address in hex (in mixed case: with its EIP-55 checksum).';

  it.each([
    [[], 'personal_sign: params[0] is missing: it must be a string.'],
    [['0x'], `personal_sign: params[1] is missing: it must be ${noAddress}`],
    [['0x', '0x12'], `personal_sign: params[1] must be ${noAddress}`],
    [[7, OTHER], 'personal_sign: params[0] must be a string.'],
    [['0x', OTHER, 7], 'personal_sign: params[2] must be a string.'],
    [['0x', OTHER, '', ''], 'personal_sign: params[3] is not expected here.'],
    [{ message: '0x' }, 'personal_sign: params must be an array.'],
    [null, 'personal_sign: params must be an array.'],
    [['0x1', OTHER], 'The message is hex with an odd number of digits.'],
  ])('refuses the params %j by name', async (params, message) => {
    const { sign, account } = await setup();
    expect(await refusalOf(sign({ account, method: METHOD, params }))).toStrictEqual({
      code: -32602,
      message,
    });
  });
});
