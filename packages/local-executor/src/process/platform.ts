/** Windows has neither process groups nor a POSIX shell. */
export const ON_WINDOWS = process.platform === 'win32'
/** Only Linux shows processes, their groups and environments, in /proc. */
export const ON_LINUX = process.platform === 'linux'
