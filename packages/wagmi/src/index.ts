/**
 * A connector for wagmi 2 and 3: wagmi's own `injected` with Tollkeeper's provider. The build
 * bundles a copy of `injected`, because npm installs wagmi's core where only wagmi can import it.
 *
 * @module wagmi
 */
import { injected } from '@wagmi/core';
import type { CreateConnectorFn } from '@wagmi/core';

import { createProvider, tollkeeperInfo } from '../../provider/src';
import type { ProviderOptions } from '../../provider/src';

/**
 * Creates a wagmi connector that needs no `announce`. Even if the provider is announced as well,
 * wagmi lists Tollkeeper once.
 *
 * @param options - Options of `createProvider`.
 * @example
 * ```ts
 * import { createConfig, http } from '@wagmi/core';
 * import { tollkeeper } from 'tollkeeper-snap/wagmi';
 * import { sepolia } from 'viem/chains';
 *
 * const config = createConfig({
 *   chains: [sepolia],
 *   connectors: [tollkeeper()],
 *   transports: { [sepolia.id]: http() },
 * });
 * ```
 */
export function tollkeeper(options: ProviderOptions = {}): CreateConnectorFn {
  const { name, icon, rdns } = tollkeeperInfo;
  const target = { id: rdns, name, icon, provider: createProvider(options) };
  return (config) => ({ ...injected({ target })(config), rdns });
}
