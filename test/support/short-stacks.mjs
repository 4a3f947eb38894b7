// Jest makes every error keep a hundred frames. Property tests throw thousands of errors, and
// collecting their frames takes most of the time; failures report the failing values instead.
Error.stackTraceLimit = 2;
