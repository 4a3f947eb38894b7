// Methods of the companion page that configure chains.
import { array, nullable, object, optional } from '@metamask/superstruct';

import { ChainIdStruct } from '../../../src/eth/chain';
import { ChainConfigurationStruct } from '../../../src/state/chain-row';
import { ChainStruct } from './companion-results';
import { noParams, oneObject } from './row';
import type { Group } from './row';
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

/** How the companion page configures chains. */
export const configuration: Group = {
  title: 'Configuration (companion page)',
  rows: [
    {
      name: 'tollkeeper_setChain',
      summary: 'Configure the servers and contracts of a chain.',
      description:
        'A key that is absent keeps what was set, `null` clears it. The user is shown what ' +
        'changes; then servers and contracts are asked whether they are what they are set as, ' +
        'before anything is saved.',
      params: oneObject('see [Configuration](#configuration)', SetChainParamsStruct, {
        name: 'change',
        summary: 'The chain, and what changes.',
        isRequired: true,
      }),
      result: {
        cell: 'the row, secrets redacted, with the `contracts` of its `entryPoint`',
        name: 'chain',
        source: ChainStruct,
      },
      asks: 'if anything changes',
      errors: [-32602, -32002, -32005, 4001],
      examples: [
        {
          name: 'a node with a key',
          params: [
            {
              chainId: '0x1',
              rpcUrl: 'https://node.example',
              apiKey: 'your-api-key',
              entryPoint: '0.7',
            },
          ],
          result: chain,
        },
      ],
    },
    {
      name: 'tollkeeper_getChains',
      summary: 'Get the configured chains.',
      params: noParams,
      result: {
        cell: 'all rows, secrets redacted',
        name: 'chains',
        source: array(ChainStruct),
      },
      asks: 'no',
      errors: [],
      examples: [{ name: 'one chain', params: [], result: [chain] }],
    },
  ],
};
