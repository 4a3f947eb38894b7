// What each state of the installation means, and what the user can do about it.
import type { Status } from '../../../src/provider';

/** A state in words. */
export type StateText = {
  title: string;
  next: string;
  /** What the button does: look again, or have MetaMask install the snap. */
  action: 'look' | 'install';
  verb: string;
  /** Whether the user needs a MetaMask that they may not have. */
  needsFlask?: true;
};

/** Write what a state means. */
export function describeState(status: Status, wanted: string): StateText {
  return texts[status.state](
    'version' in status ? status.version : '',
    wanted.replace(/^\^/u, ''),
  );
}

const texts: Record<Status['state'], (version: string, wanted: string) => StateText> = {
  'no-metamask': () => ({
    title: 'No MetaMask in this browser',
    next: 'Install MetaMask Flask in a browser profile of its own, then come back.',
    action: 'look',
    verb: 'Look again',
    needsFlask: true,
  }),
  'no-flask': () => ({
    title: 'This MetaMask takes no snaps of this kind',
    next:
      'Snaps that hold keys run in MetaMask Flask alone. Turn this MetaMask off, or use ' +
      'another browser profile, and install Flask there.',
    action: 'look',
    verb: 'Look again',
    needsFlask: true,
  }),
  'not-installed': () => ({
    title: 'The snap is not installed',
    next: 'MetaMask shows what the snap may do and asks you, before anything is installed.',
    action: 'install',
    verb: 'Install',
  }),
  outdated: (version, wanted) => ({
    title: `Version ${version} is outdated`,
    next: `This page needs version ${wanted} or a later one that fits it. Your accounts stay.`,
    action: 'install',
    verb: 'Update',
  }),
  disabled: () => ({
    title: 'The snap is turned off',
    next: 'Turn it on in MetaMask: Menu, Snaps, Tollkeeper. Then look again.',
    action: 'look',
    verb: 'Look again',
  }),
  ready: (version) => ({
    title: `Version ${version} is ready`,
    next: 'Nothing to do. While the snap is developed, install it again after each build.',
    action: 'install',
    verb: 'Install again',
  }),
};
