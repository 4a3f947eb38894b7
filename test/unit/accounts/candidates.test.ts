import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  pad,
  parseAbi,
  parseAbiParameters,
} from 'viem';
import { privateKeyToAddress } from 'viem/accounts';

import { fetchBytecode } from '../../../dev/stack/artifacts';
import { deriveCandidates } from '../../../src/accounts/candidates';
import type { Candidate } from '../../../src/accounts/candidates';
import { entryPoints, entryPointVersions } from '../../../src/eth/entry-point';
import type { EntryPointVersion } from '../../../src/eth/entry-point';
import type { Hex } from '../../../src/eth/hex';
import { AccountRecordStruct } from '../../../src/state/account-record';
import { createBench } from '../../support/create-bench';
import { createEntropy, keyOfIndex, ownerKeyOfIndex } from '../../support/entropy';
import { lower } from '../../support/records';

const scopes: `eip155:${string}`[] = ['eip155:1', 'eip155:5'];

/** Where the creation code of the proxy stands in that of the factory, in hex digits. */
const proxies = {
  '0.6': { start: 2_850, length: 3_970 },
  '0.7': { start: 2_826, length: 2_094 },
  '0.8': { start: 3_578, length: 1_360 },
};

/** Compute with viem and the artifacts what the canonical factory answers for salt 0. */
async function addressOf(version: EntryPointVersion, owner: Hex): Promise<Hex> {
  const { start, length } = proxies[version];
  const code = await fetchBytecode(version, 'SimpleAccountFactory');
  const { factory: from } = entryPoints[version];
  const implementation = getContractAddress({ from, nonce: 1n });
  const abi = parseAbi(['function initialize(address owner)']);
  const initialize = encodeFunctionData({ abi, args: [owner] });
  const constructor = encodeAbiParameters(parseAbiParameters('address, bytes'), [
    implementation,
    initialize,
  ]);
  const bytecode = concatHex([`0x${code.slice(start, start + length)}`, constructor]);
  const salt = pad('0x0', { size: 32 });
  return lower(getContractAddress({ opcode: 'CREATE2', from, salt, bytecode }));
}

const recordsOf = (candidates: Candidate[]): unknown[] =>
  candidates.map(({ toRecord }) => toRecord(scopes));

describe('deriveCandidates', () => {
  it.each([
    [0, undefined],
    [7, undefined],
    [0, 'second'],
  ])('gives the accounts of index %i of source %s', async (index, entropySource) => {
    const { getEntropy } = createEntropy();
    const address = lower(privateKeyToAddress(keyOfIndex(index, entropySource)));
    const candidates = await deriveCandidates({ index, entropySource }, getEntropy);
    const smart = entryPointVersions.map(async (version) => ({
      address: await addressOf(
        version,
        lower(privateKeyToAddress(ownerKeyOfIndex(index, version, entropySource))),
      ),
      index,
      isSmart: true,
    }));
    expect(candidates).toMatchObject([
      { address, index, isSmart: false },
      ...(await Promise.all(smart)),
    ]);
    expect(candidates).toHaveLength(1 + entryPointVersions.length);
  });

  it.each([
    [0, undefined],
    [3, undefined],
    [3, 'second'],
  ])(
    'gives the very records that creating index %i of source %s makes',
    async (index, entropySource) => {
      const { getEntropy } = createEntropy();
      const { create } = createBench();
      const source = entropySource === undefined ? {} : { entropySource };
      const wanted = [
        { index, ...source },
        ...entryPointVersions.map((entryPoint) => ({
          type: 'eip155:erc4337',
          index,
          entryPoint,
          scopes,
          ...source,
        })),
      ];
      const created: unknown[] = [];
      for (const options of wanted) created.push((await create(options)).record);
      const candidates = await deriveCandidates({ index, entropySource }, getEntropy);
      expect(recordsOf(candidates)).toStrictEqual(created);
    },
  );

  it('gives records that can be stored', async () => {
    const { getEntropy } = createEntropy();
    const candidates = await deriveCandidates({ index: 1 }, getEntropy);
    const stored = recordsOf(candidates).map((record) =>
      AccountRecordStruct.is(record),
    );
    expect(stored).toStrictEqual([true, true, true, true]);
  });

  it('gives a smart account the chains that it is told, an EOA none', async () => {
    const { getEntropy } = createEntropy();
    const [eoa, smart] = await deriveCandidates({ index: 0 }, getEntropy);
    expect(eoa?.toRecord(['eip155:9'])).not.toHaveProperty('scopes');
    expect(smart?.toRecord(['eip155:9'])).toHaveProperty('scopes', ['eip155:9']);
    expect(smart?.toRecord(scopes)).toHaveProperty('scopes', scopes);
  });

  it('asks for each key once', async () => {
    const { getEntropy, asked } = createEntropy();
    await deriveCandidates({ index: 4, entropySource: 'second' }, getEntropy);
    expect(asked).toHaveLength(1 + entryPointVersions.length);
    expect(new Set(asked.map(({ salt }) => salt)).size).toBe(asked.length);
  });
});
