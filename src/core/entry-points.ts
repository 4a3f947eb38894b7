// The EntryPoints of ERC-4337, and their factories.
import type { Hex } from './hex';

/** Versions of the EntryPoint contract, oldest first. */
export const entryPointVersions = [
  '0.6',
  '0.7',
  '0.8',
  '0.9',
] as const satisfies readonly EntryPointVersion[];

export type EntryPointVersion = '0.6' | '0.7' | '0.8' | '0.9';

/** Returns whether an EntryPoint hashes operations by EIP-712: from 0.8 on. */
export function hashesByEip712(version: EntryPointVersion): boolean {
  return version !== '0.6' && version !== '0.7';
}

/** Addresses of each EntryPoint and of the SimpleAccountFactory made for it: the canonical
 * deployments, which are the same on every chain. 0.9's factory has no published deployment. */
export const entryPoints: Record<
  EntryPointVersion,
  Record<'entryPoint' | 'factory', Hex>
> = {
  '0.6': {
    entryPoint: '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
    factory: '0x9406Cc6185a346906296840746125a0E44976454',
  },
  '0.7': {
    entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
    factory: '0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985',
  },
  '0.8': {
    entryPoint: '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
    factory: '0x13E9ed32155810FDbd067D4522C492D6f68E5944',
  },
  '0.9': {
    entryPoint: '0x433709009B8330FDa32311DF1C2AFA402eD8D009',
    factory: '0xEDd9667C46f5FC5115EC33940df899ad4EAE5949',
  },
};
