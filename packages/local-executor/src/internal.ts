// Inner parts that the packages of the same version share. No API: they may change in any version.
export { type Fingerprint, type Fingerprints, createFingerprints } from './create-fingerprints.ts'
export { formatCommand } from './describe-executable.ts'
export { explainNoProgram } from './resolve-program.ts'
