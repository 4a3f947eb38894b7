// Jest makes every error keep a hundred frames. Property tests throw thousands of errors, where
// that takes longer than all the rest; they report the failing values instead.
Error.stackTraceLimit = 2;
