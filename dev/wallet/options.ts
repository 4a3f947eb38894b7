// Options of the test wallet, and their defaults.
import type { WalletDisk } from './controllers';
import type { Chain, SnapCall } from './engine';
import type { World } from './in-process';
import type { UserPolicy } from './user';

/** The snap's id in MetaMask Flask, which is its URL. */
export const DEFAULT_SNAP_ID = 'local:http://localhost:8080';

/** The website that installs the snap, and manages the development build. */
export const COMPANION_ORIGIN = 'http://localhost:8000';

/** The output folder of `npm run build:dev`. */
export const DEV_SNAP = 'dist/dev';

/** Called before each JSON-RPC call of the snap. An error in the hook fails the call. */
export type SnapCallHook = (call: SnapCall) => void | Promise<void>;

export type WalletOptions = {
  /** The folder of the built snap, with `snap.manifest.json`. Default: {@link DEV_SNAP}. */
  snapFolder?: string;
  /** Whether snaps with more than harmless permissions must be on the allowlist, which is empty.
   * Default: no, as in Flask; stable MetaMask requires it. */
  requireAllowlist?: boolean;
  chain: Chain;
  otherChains?: readonly Chain[];
  /** Default: {@link DEFAULT_SNAP_ID}. The snap's entropy depends on it. */
  snapId?: string;
  /** Secret Recovery Phrase. Default: anvil's. */
  mnemonic?: string;
  /** Addresses of MetaMask's other keyrings, which the snap may not announce. */
  otherAddresses?: string[];
  /** Whether to behave like the newest MetaMask, with a keyring per snap. Default: no. */
  isNewest?: boolean;
  user?: Partial<UserPolicy>;
  /** Time after which an idle snap is stopped, in ms. Default: MetaMask's own limit. */
  maxIdleTime?: number;
  onSnapCall?: SnapCallHook;
  /** Disk of a stopped wallet to reopen, with the snap already installed. */
  disk?: WalletDisk;
  /** Runs the snap in this process, with this clock and network, instead of in a worker. */
  world?: World;
};
