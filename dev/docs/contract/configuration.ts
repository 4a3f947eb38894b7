// Methods of the companion page that configure chains.
import { array, nullable, object, optional } from '@metamask/superstruct';

import { ChainIdStruct } from '../../../src/eth/chain';
import { ChainConfigurationStruct } from '../../../src/state/chain-row';
import { ChainStruct } from './results';
import { example, groupOf, oneObject } from './row';
import { ENTRY_POINT } from './samples';

// A key that is null is cleared.
const changes = Object.fromEntries(
  Object.entries(ChainConfigurationStruct.schema).map(([name, struct]) => [
    name,
    optional(nullable(struct as never)),
  ]),
);

const SetChainParamsStruct = object({ chainId: ChainIdStruct, ...changes });

const chain = {
  chainId: 'eip155:1',
  rpcUrl: 'https://node.example',
  apiKey: '[redacted]',
  entryPoint: '0.7',
  contracts: {
    entryPoint: { version: '0.7', address: ENTRY_POINT },
    factory: '0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985',
  },
};

export const configuration = groupOf('Configuration (companion page)', {
  tollkeeper_setChain: {
    summary: 'Configures the servers and contracts of a chain.',
    description:
      'A field that is left out keeps its value; `null` clears it. A dialog shows what changes, and each server and contract is checked before anything is saved.',
    params: oneObject(
      SetChainParamsStruct,
      'change',
      'The chain and its changed fields.',
    ),
    result: { name: 'chain', source: ChainStruct },
    asks: 'if anything changes',
    errors: [-32602, -32002, -32005, 4001],
    examples: [
      example(
        'a node with a key',
        [
          {
            chainId: '0x1',
            rpcUrl: 'https://node.example',
            apiKey: 'your-api-key',
            entryPoint: '0.7',
          },
        ],
        chain,
      ),
    ],
  },
  tollkeeper_getChains: {
    summary: 'Returns the configured chains, with secrets redacted.',
    result: { name: 'chains', source: array(ChainStruct) },
    examples: [example('one chain', [], [chain])],
  },
});
