import type { Json } from '@metamask/utils';
import { encodePacked } from 'viem';

import { refusalOf } from '../../support/refusal';
import { createSignBench } from '../../support/sign-bench';
import type { SignBench } from '../../support/sign-bench';
import { hashV1, mailOf } from '../../support/typed-data';
import { writeView } from '../../support/view';

const OTHER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

// As MetaMask's test dapp sends it.
const list = [
  { type: 'string', name: 'Message', value: 'Hi, Alice!' },
  { type: 'uint32', name: 'A number', value: '1337' },
];

const hash = hashV1(
  ['string Message', 'uint32 A number'],
  encodePacked(['string', 'uint32'], ['Hi, Alice!', 1337]),
);

type Bench = SignBench & {
  address: string;
  signParams: (params: Json, scope?: bigint) => Promise<Json>;
};

async function setup(): Promise<Bench> {
  const bench = createSignBench();
  const { id, address } = await bench.create();
  const asked = { account: id, method: 'eth_signTypedData_v1' };
  return {
    ...bench,
    address,
    signParams: (params, scope) =>
      bench.sign({ ...asked, params, ...(scope === undefined ? {} : { scope }) }),
  };
}

describe('eth_signTypedData_v1', () => {
  it('signs a list, or its JSON text, with its params in either order', async () => {
    const { signParams, owner, address } = await setup();
    const signature = await owner.sign({ hash });
    for (const data of [list, JSON.stringify(list)]) {
      expect(await signParams([address, data])).toBe(signature);
      expect(await signParams([data, address])).toBe(signature);
    }
  });

  it('asks the user, shows every value and warns that no contract is named', async () => {
    const { signParams, address, consents } = await setup();
    await signParams([address, list], 5n);
    const view = writeView(consents.asked);
    for (const part of [
      'https://dapp.example',
      address,
      'Hi, Alice!',
      'A number',
      'uint32',
      '1337',
      'These data name no contract that they are for.',
    ]) {
      expect(view).toContain(part);
    }
  });

  it('signs nothing if the user refuses', async () => {
    const { signParams, address, consents } = await setup();
    consents.isGiven = false;
    expect(await refusalOf(signParams([address, list]))).toHaveProperty('code', 4001);
  });

  it('refuses the address of another account', async () => {
    const { signParams, address, consents } = await setup();
    expect(await refusalOf(signParams([list, OTHER]))).toStrictEqual({
      code: -32602,
      message: `The address is ${OTHER}, but the request is for the account ${address}.`,
    });
    expect(consents.asked).toHaveLength(0);
  });

  const ROOT = 'eth_signTypedData_v1: params';

  it.each<[Json, string]>([
    [[OTHER, []], `${ROOT}[1] must be an array of 1 to 1000 entries.`],
    [[[], OTHER], `${ROOT}[0] must be an array of 1 to 1000 entries.`],
    [[OTHER, mailOf(1)], `${ROOT}[1] must be an array of 1 to 1000 entries.`],
    [[OTHER, '{}'], `${ROOT}[1] must be an array, or the JSON text of one.`],
    [
      [OTHER, [{ type: 'uint8', name: 'a', value: 256 }]],
      `${ROOT}[1][0].value must be of type uint8.`,
    ],
    [
      [list, '0x12'],
      `${ROOT}[1] must be a 20-byte address in hex (in mixed case: with its EIP-55 checksum).`,
    ],
  ])('refuses malformed params by name (case %#)', async (params, message) => {
    const { signParams } = await setup();
    expect(await refusalOf(signParams(params))).toStrictEqual({
      code: -32602,
      message,
    });
  });
});
