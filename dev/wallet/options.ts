// What a wallet is started with.
import type { WalletDisk } from './controllers';
import type { Chain, SnapCall } from './engine';
import type { World } from './in-process';
import type { UserPolicy } from './user';

/** Where the snap is served for MetaMask Flask, and so its id there. */
export const DEFAULT_SNAP_ID = 'local:http://localhost:8080';

/** The website that installs the snap, and manages the development build. */
export const COMPANION_ORIGIN = 'http://localhost:8000';

/** Where npm run build:dev writes the snap. */
export const DEV_SNAP = 'dist/dev';

/** Called before each JSON-RPC call of the snap. A throw makes the call fail with it. */
export type SnapCallHook = (call: SnapCall) => void | Promise<void>;

export type WalletOptions = {
  /** The folder of the built snap, with `snap.manifest.json`. Default: {@link DEV_SNAP}. */
  snapFolder?: string;
  /** Whether snaps must be allowlisted, as in MetaMask's stable version, unless they ask for
   * harmless permissions alone. The allowlist is empty. Default: no, as in Flask. */
  requireAllowlist?: boolean;
  /** The node behind the wallet's own network. */
  chain: Chain;
  /** Further networks that it knows. */
  otherChains?: readonly Chain[];
  /** Default: {@link DEFAULT_SNAP_ID}. Its entropy depends on it. */
  snapId?: string;
  /** Secret Recovery Phrase. Default: anvil's. */
  mnemonic?: string;
  /** Addresses of MetaMask's other keyrings, which the snap may not announce. */
  otherAddresses?: string[];
  /** Whether it behaves as the newest MetaMask, which has a keyring for each snap. Default: no. */
  isNewest?: boolean;
  user?: Partial<UserPolicy>;
  /** How long the snap may idle, in milliseconds. Default: MetaMask's own limit. */
  maxIdleTime?: number;
  onSnapCall?: SnapCallHook;
  /** Opens a wallet that was stopped: nothing is installed then. */
  disk?: WalletDisk;
  /** Runs the snap in this process, with this clock and this network, and not in a worker. */
  world?: World;
};
