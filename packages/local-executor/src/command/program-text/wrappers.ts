/** A program that starts the program which its operands name. */
export interface Wrapper {
  /** Options that take the next word as their value. */
  readonly valued?: RegExp
  /** Operands before the command. */
  readonly operands?: number
}

const PLAIN: Wrapper = {}

/** By file name. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ['env', { valued: /^(?:-[a-z0-9]*[uCa]|--(?:unset|chdir|argv0))$/ }],
  ['nice', { valued: /^(?:-n|--adjustment)$/ }],
  [
    'sudo',
    {
      valued:
        /^(?:-[A-Za-z]*[ughpCrtTUDR]|--(?:user|group|host|prompt|close-from|role|type|command-timeout|other-user|chdir|chroot))$/,
    },
  ],
  ['doas', { valued: /^-[uCa]$/ }],
  ['timeout', { valued: /^(?:-[sk]|--(?:signal|kill-after))$/, operands: 1 }],
  ['gtimeout', { valued: /^(?:-[sk]|--(?:signal|kill-after))$/, operands: 1 }],
  ['stdbuf', { valued: /^(?:-[ioe]|--(?:input|output|error))$/ }],
  [
    'xargs',
    {
      valued:
        /^(?:-[0rtx]*[InPLsEdaJRS]|--(?:replace|max-args|max-procs|max-lines|max-chars|delimiter|arg-file|process-slot-var))$/,
    },
  ],
  ['time', { valued: /^(?:-[fo]|--(?:format|output))$/ }],
  ['exec', { valued: /^-[cl]*a$/ }],
  ['ionice', { valued: /^(?:-[cnpPu]|--(?:class|classdata|pid))$/ }],
  ['chrt', { valued: /^-[TPD]$/, operands: 1 }],
  ['taskset', { operands: 1 }],
  ['chroot', { valued: /^--(?:groups|userspec)$/, operands: 1 }],
  ['flock', { valued: /^(?:-[wE]|--(?:timeout|wait|conflict-exit-code))$/, operands: 1 }],
  ['setpriv', { valued: /^--(?:reuid|regid|groups|pdeathsig)$/ }],
  ['gosu', { operands: 1 }],
  ['su-exec', { operands: 1 }],
  ['strace', { valued: /^-[eEopPsSuOaIbX]$/ }],
  ...'nohup setsid busybox toybox unshare command builtin catchsegv tini dumb-init caffeinate arch'
    .split(' ')
    .map((name): [string, Wrapper] => [name, PLAIN]),
])
