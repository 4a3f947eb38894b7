// The request with viem: by the action that viem has for it, else as it is.
import { print } from './print';
import { toRequest, writeImports, writeProvider } from './snippet';
import type { Subject } from './snippet';
import { viemIdioms } from './viem-idioms';
import type { Idiom } from './viem-idioms';

const clients = {
  wallet: { module: 'viem', create: 'createWalletClient' },
  public: { module: 'viem', create: 'createPublicClient' },
  bundler: { module: 'viem/account-abstraction', create: 'createBundlerClient' },
} as const;

/** Write the request with viem, in TypeScript. */
export function writeViem(subject: Subject): string {
  const idiom = findIdiom(subject) ?? toGeneric(subject);
  const { module, create } = clients[idiom.client];
  const chain = idiom.chain === undefined ? [] : ['defineChain'];
  const fromViem = [...(module === 'viem' ? [create] : []), 'custom', ...chain];
  const imports = writeImports({
    viem: fromViem,
    ...(module === 'viem' ? {} : { [module]: [create] }),
    'tollkeeper-snap/provider': ['createProvider'],
  });
  const args = idiom.args === undefined ? '' : print(idiom.args);
  return (
    `${imports}\nconst provider = ${writeProvider(subject)};\n` +
    `const client = ${create}({ transport: custom(provider) });\n` +
    `${idiom.chain === undefined ? '' : writeChain(idiom.chain)}\n` +
    `const ${idiom.result} = await client.${idiom.action}(${args});\n`
  );
}

// An idiom stands for params of one shape; what was edited can have any.
function findIdiom(subject: Subject): Idiom | undefined {
  try {
    return viemIdioms[subject.row.name]?.(subject);
  } catch {
    return undefined;
  }
}

function toGeneric(subject: Subject): Idiom {
  return {
    client: 'wallet',
    result: 'result',
    // viem knows the types of standard methods alone.
    action: 'request<{ Parameters: unknown; ReturnType: unknown }>',
    args: toRequest(subject),
  };
}

function writeChain(id: number): string {
  const chain = {
    id,
    name: `Chain ${id}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
  };
  return `const chain = defineChain(${print(chain)});\n`;
}
