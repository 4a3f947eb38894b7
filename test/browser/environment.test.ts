// The released bundle in MetaMask's iframe environment in a real Chromium. The benchmark measures
// these requests there, so their results must be correct.
import {
  getAddress,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  serializeTransaction,
  type Hex,
} from 'viem';

import {
  createRequests,
  LIST,
  openSide,
  readSnap,
  startChromium,
  tollkeeper,
  type Chromium,
  type Side,
} from '../../dev/bench/chromium';
import { PERMIT2, SEAPORT, TEXT, TRANSACTION } from '../../dev/bench/signing-cases';

let chromium: Chromium;
let side: Side;

beforeAll(async () => {
  chromium = await startChromium();
  side = await openSide(chromium.page, tollkeeper, await readSnap('.'));
  await chromium.page('start', side.id);
});

afterAll(async () => chromium?.stop());

async function sign(name: keyof ReturnType<typeof createRequests>): Promise<unknown> {
  const request = createRequests(side.account)[name];
  const answer = await chromium.page('call', side.id, request);
  return (answer as { result: unknown }).result;
}

it('lists its account', async () => {
  const accounts = await chromium.page('call', side.id, LIST);
  expect(accounts).toMatchObject([side.account]);
});

it('signs text', async () => {
  const signature = (await sign('personal_sign')) as Hex;
  const signer = recoverMessageAddress({ message: { raw: TEXT }, signature });
  expect(await signer).toBe(getAddress(side.account.address));
});

it.each([
  ['eth_signTypedData_v4: Permit2', PERMIT2],
  ['eth_signTypedData_v4: Seaport order', SEAPORT],
] as const)('signs %s', async (name, document) => {
  const signature = (await sign(name)) as Hex;
  const signer = recoverTypedDataAddress({ ...document, signature });
  expect(await signer).toBe(getAddress(side.account.address));
});

it('signs a transaction', async () => {
  const { r, s, v } = (await sign('eth_signTransaction of type 0x2')) as {
    r: Hex;
    s: Hex;
    v: Hex;
  };
  const { to, data, ...quantities } = TRANSACTION;
  const serialized = serializeTransaction(
    {
      type: 'eip1559',
      to,
      data,
      chainId: Number(quantities.chainId),
      nonce: Number(quantities.nonce),
      value: BigInt(quantities.value),
      gas: BigInt(quantities.gasLimit),
      maxFeePerGas: BigInt(quantities.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(quantities.maxPriorityFeePerGas),
    },
    { r, s, yParity: Number(v) },
  );
  const signer = recoverTransactionAddress({ serializedTransaction: serialized });
  expect(await signer).toBe(getAddress(side.account.address));
});
