// Fields of operations of EntryPoint 0.7 and 0.8 that the stack's bundler refuses.
import { type Address } from 'viem';

import { startChainStack, type ChainStack } from '../../dev/stack/stack';
import { useBundler, type BundlerUser } from '../fixtures/stack/bundler';
import { createAccount } from '../fixtures/stack/simple-account';
import {
  ampleLimits,
  draftOperation,
  type WireOperation,
} from '../fixtures/stack/wire-operation';
import { without } from '../support/without';

const ours = ['0.7', '0.8', '0.9'] as const;

let stack: ChainStack;
let bundler: BundlerUser;

beforeAll(async () => {
  stack = await startChainStack();
  bundler = useBundler(stack);
});
afterAll(async () => {
  await stack?.stop();
});

const nobody: Address = '0x000000000000000000000000000000000000dEaD';

describe.each(ours)('an operation of %s', (version) => {
  it.each<[string, (good: WireOperation) => object, string]>([
    ['no object', () => [], 'The user operation must be an object.'],
    ['a missing field', (good) => without(good, 'nonce'), 'nonce is missing.'],
    ['no signature', (good) => without(good, 'signature'), 'signature is missing.'],
    [
      'the packed form',
      (good) => ({ ...good, paymasterAndData: '0x' }),
      'paymasterAndData is of the packed form, which is for the chain: from EntryPoint 0.7 on a bundler takes factory, factoryData, paymaster, paymasterData and single gas fields.',
    ],
    [
      'an unknown field',
      (good) => ({ ...good, colour: '0x' }),
      'colour is not a field of this user operation.',
    ],
    [
      'a number',
      (good) => ({ ...good, callGasLimit: 7 }),
      'callGasLimit must be a quantity in hex, without leading zeros, of at most 120 bits.',
    ],
    [
      'a padded quantity',
      (good) => ({ ...good, nonce: '0x00' }),
      'nonce must be a quantity in hex, without leading zeros, of at most 256 bits.',
    ],
    [
      'half a byte',
      (good) => ({ ...good, callData: '0x123' }),
      'callData must be bytes in hex.',
    ],
    [
      'no address',
      (good) => ({ ...good, sender: '0x12' }),
      'sender must be an address.',
    ],
    [
      'a factory alone',
      (good) => without(good, 'factoryData'),
      'factoryData is missing.',
    ],
    [
      'a paymaster without limits',
      (good) => ({ ...good, paymaster: nobody }),
      'paymasterVerificationGasLimit is missing.',
    ],
    [
      'data without a paymaster',
      (good) => ({ ...good, paymasterData: '0x' }),
      'paymasterData stands there without paymaster.',
    ],
    [
      'fees that cross',
      (good) => ({ ...good, maxPriorityFeePerGas: '0x12a05f201' }),
      'maxPriorityFeePerGas must not be above maxFeePerGas.',
    ],
    [
      'a low priority fee',
      (good) => ({ ...good, maxPriorityFeePerGas: '0x1' }),
      'maxPriorityFeePerGas is 1 wei and must be at least 1000000000 wei now.',
    ],
    [
      'too much gas',
      (good) => ({ ...good, callGasLimit: '0x1312d00' }),
      'The gas limits add up to 21070000; 16000000 is the most.',
    ],
  ])('names what is wrong: %s', async (_name, change, message) => {
    const good = {
      ...(await draftOperation(await createAccount(stack, version))),
      ...ampleLimits,
    };
    expect(await bundler.send(version, change(good))).toStrictEqual({
      error: { code: -32602, message },
    });
  });
});
