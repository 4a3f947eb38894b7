// The names of the fee levels, apart from the struct of the stored state, so that code without
// storage can use them.

/** Names of the fee levels, lowest first. */
export const levelNames = ['low', 'medium', 'high'] as const;

export type LevelName = (typeof levelNames)[number];
