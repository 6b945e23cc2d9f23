import { describe, expect, test } from 'vitest'
import { parseTemplate } from '../template.ts'
import { toWord, nameOf } from './program-text.ts'
import { skipWrappers } from './skip-wrappers.ts'

/** The words that are left, or the place and reason of the one that is refused. */
function skip(words: readonly string[]): readonly string[] | { index: number; reason: string } {
  const templates = words.map((source) => {
    const read = parseTemplate(source)
    if (!read.ok) throw new Error(read.message)
    return read.template
  })
  const skipped = skipWrappers(templates.map(toWord))
  return 'found' in skipped ? skipped.found : skipped.rest.map(({ lead }) => lead)
}

const X = '{{tool.arguments.x}}'

describe('what a wrapper starts stands behind its options, their values, and its own operands', () => {
  test.for([
    ['env -i -u A -C / --unset B --chdir / --argv0 c -0a d A=b -x', 'run a'],
    ['env --unset=B', 'run a'],
    ['env -', 'run a'],
    ['env', 'run -u a'],
    ['nice -n 5 --adjustment 6 -7', 'run a'],
    ['sudo -u ada -Eu ada -g g -h h -p p -C 3 -r r -t t -T 5 -U u -D / -R / A=b', 'run a'],
    ['sudo --user ada --group g --host h --prompt p --close-from 3 --role r --type t', 'run a'],
    ['sudo --command-timeout 5 --other-user u --chdir / --chroot / --preserve-env -E', 'run a'],
    ['doas -u ada -C c -a s -n', 'run a'],
    ['timeout -s KILL -k 5 --signal KILL --kill-after 5 -v 10', 'run a'],
    ['gtimeout -s KILL -k 5 --signal KILL --kill-after 5 -v 10', 'run a'],
    ['timeout 10', 'run 5'],
    ['stdbuf -i 0 -o L -e 0 --input 0 --output 0 --error 0 -oL', 'run a'],
    ['xargs -0 -I {} -n 1 -P 2 -L 1 -s 9 -E e -d d -a f -J j -R 1 -S 1 -0n 1 -r', 'run a'],
    ['xargs --replace {} --max-args 1 --max-procs 2 --max-lines 1 --max-chars 9', 'run a'],
    ['xargs --delimiter d --arg-file f --process-slot-var v --null', 'run a'],
    ['time -f %e -o file --format %e --output file -p', 'run a'],
    ['exec -a name -cla name -c', 'run a'],
    ['ionice -c 3 -n 5 -p 1 -P 1 -u 1 --class 3 --classdata 5 --pid 1 -t', 'run a'],
    ['chrt -T 1 -P 1 -D 1 -f 10', 'run a'],
    ['taskset -c 0', 'run a'],
    ['chroot --groups g --userspec u --skip-chdir /', 'run a'],
    ['flock -w 5 -E 1 --timeout 5 --wait 5 --conflict-exit-code 1 -n file', 'run a'],
    ['setpriv --reuid 1 --regid 1 --groups 1 --pdeathsig KILL --no-new-privs', 'run a'],
    ['gosu ada', 'run a'],
    ['su-exec ada', 'run a'],
    ['strace -e a -E b -o f -p 1 -P f -s 9 -S c -u u -O 1 -a 1 -I 1 -b x -X raw -f', 'run a'],
    ['nohup', 'run a'],
    ['setsid -w', 'run a'],
    ['busybox', 'run a'],
    ['toybox', 'run a'],
    ['unshare -r', 'run a'],
    ['command -p', 'run a'],
    ['builtin', 'run a'],
    ['catchsegv', 'run a'],
    ['tini -g --', 'run a'],
    ['dumb-init', 'run a'],
    ['caffeinate -i', 'run a'],
    ['arch -arm64', 'run a'],
    ['timeout --', '5 run a'],
    ['/usr/bin/env A=b sudo -u ada nice -n 5 timeout 5', 'run a'],
  ] as const)('%s', ([wrappers, command]) => {
    const rest = wrappers === 'timeout --' ? ['run', 'a'] : command.split(' ')
    expect(skip([...wrappers.split(' '), ...command.split(' ')])).toEqual(rest)
  })

  test.for(['run a', 'xenv a', 'timeouts 5 a'])('%s starts itself', (command) => {
    expect(skip(command.split(' '))).toEqual(command.split(' '))
  })

  test('a wrapper without a command starts nothing', () => {
    for (const command of [[], ['env'], ['env', '-u'], ['timeout'], ['env', '-S']])
      expect(skip(command)).toEqual([])
  })

  test('behind -- stands the command, whatever it looks like', () => {
    expect(skip(['env', '--', '-x', 'run'])).toEqual(['-x', 'run'])
    expect(skip(['sudo', '-u', 'ada', '--', 'A=b'])).toEqual(['A=b'])
    expect(skip(['nice', '--', '-n', '5'])).toEqual(['-n', '5'])
  })

  test.for([
    ['env', '-u -C -a -iu --unset --chdir --argv0'],
    ['nice', '-n --adjustment'],
    ['sudo', '-u -g -h -p -C -r -t -T -U -D -R -Eu --user --group --host --chdir --chroot'],
    ['doas', '-u -C -a'],
    ['stdbuf', '-i -o -e --input --output --error'],
    ['xargs', '-I -n -P -L -s -E -d -a -J -R -S -0n --max-args --delimiter'],
    ['time', '-f -o --format --output'],
    ['exec', '-a -cla'],
    ['ionice', '-c -n -p -P -u --class --classdata --pid'],
    ['setpriv', '--reuid --regid --groups --pdeathsig'],
    ['strace', '-e -E -o -p -P -s -S -u -O -a -I -b -X'],
  ] as const)(
    '%s takes the next word as a value of %s only where they stand alone',
    ([name, options]) => {
      for (const option of options.split(' ')) {
        expect([option, skip([name, option, 'a', 'run'])]).toEqual([option, ['run']])
        expect([option, skip([name, `${option}x`, 'a', 'run'])]).toEqual([option, ['a', 'run']])
        const word = `x${option}`
        expect(skip([name, word, 'a', 'run'])).toEqual([word, 'a', 'run'])
      }
    },
  )

  test.for([
    ['timeout', '-s -k --signal --kill-after'],
    ['gtimeout', '-s -k --signal --kill-after'],
    ['chrt', '-T -P -D'],
    ['chroot', '--groups --userspec'],
    ['flock', '-w -E --timeout --wait --conflict-exit-code'],
  ] as const)('%s does, too, before its own operand: %s', ([name, options]) => {
    for (const option of options.split(' ')) {
      expect([option, skip([name, option, 'a', '5', 'run'])]).toEqual([option, ['run']])
      expect([option, skip([name, `${option}x`, 'a', 'run'])]).toEqual([option, ['run']])
      expect([option, skip([name, `x${option}`, 'a', 'run'])]).toEqual([option, ['a', 'run']])
    }
  })

  test('only env reads words with a sign and an equals sign as settings of others', () => {
    expect(skip(['nice', 'A=b', 'run'])).toEqual(['run'])
    expect(skip(['nice', '-S', 'run a', 'b'])).toEqual(['run a', 'b'])
    expect(skip(['env', 'a-b=c', 'run'])).toEqual(['a-b=c', 'run'])
  })
})

describe('env makes words of a text', () => {
  test.for<[readonly string[], readonly string[]]>([
    [
      ['env', '-S', 'run a "b c"', 'd'],
      ['run', 'a', 'b c', 'd'],
    ],
    [
      ['env', '-Srun a', 'b'],
      ['run', 'a', 'b'],
    ],
    [
      ['env', '-iSrun a', 'b'],
      ['run', 'a', 'b'],
    ],
    [
      ['env', '--split-string', 'run a', 'b'],
      ['run', 'a', 'b'],
    ],
    [
      ['env', '--split-string=run a', 'b'],
      ['run', 'a', 'b'],
    ],
    [
      ['env', '-Srun a'],
      ['run', 'a'],
    ],
    [
      ['env', '-S', 'A=b run', 'c'],
      ['run', 'c'],
    ],
    [['env', '-S', 'run "a', 'b'], ['b']],
    [['env', '-x', '--split-strings', 'run'], ['run']],
    [
      ['env', '-i', '-S', 'run a', 'b'],
      ['run', 'a', 'b'],
    ],
    [
      ['env', 'x-Sa', 'b'],
      ['x-Sa', 'b'],
    ],
  ])('%j is %j', ([words, rest]) => {
    expect(skip(words)).toEqual(rest)
  })
})

describe('a value is refused', () => {
  const splits =
    'env splits this text into a command, so that a value in it could start anything: write its words one by one'
  const option =
    'a value here could become another option, which decides what is started: write the option and its value as two words'
  const variable = 'a value of this variable could decide what is run: set it with another name'
  test.for<[readonly string[], number, string]>([
    [['env', '-S', `run ${X}`], 2, splits],
    [['env', `-S${X}`], 1, splits],
    [['env', `-iS${X}`], 1, splits],
    [['env', `--split-string=${X}`], 1, splits],
    [['env', '-i', `-${X}`, 'run'], 2, option],
    [['nice', `-n${X}`, 'run'], 1, option],
    [['sudo', `--user${X}`, 'run'], 1, option],
    ...[
      'PATH',
      'ENV',
      'BASH_ENV',
      'LD_PRELOAD',
      'DYLD_INSERT_LIBRARIES',
      'IFS',
      'NODE_OPTIONS',
      'PYTHONPATH',
      'PERL5LIB',
      'RUBYOPT',
    ].map((name): [readonly string[], number, string] => [
      ['env', 'A=b', `${name}=${X}`, 'run'],
      2,
      variable,
    ]),
  ])('in %j', ([words, index, reason]) => {
    expect(skip(words)).toEqual({ index, reason })
  })

  test.for<readonly string[]>([
    ['env', `A=${X}`, 'run'],
    ['env', `XPATH=${X}`, 'run'],
    ['env', `PATHS=${X}`, 'run'],
    ['env', `MY_LD_X=${X}`, 'run'],
    ['env', 'PATH=/bin', 'run'],
    ['sudo', `--user=${X}`, 'run'],
    ['sudo', '-u', X, 'run'],
    ['timeout', X, 'run'],
  ])('not in %j', (words) => {
    expect(skip(words)).toEqual(['run'])
  })
})

describe('the name of a program', () => {
  test.for([
    ['/usr/bin/python3.12', 'python'],
    ['python-3.11', 'python'],
    ['C:\\Python\\Python.EXE', 'python'],
    ['a/b\\c', 'c'],
    ['a\\b/c', 'c'],
    ['bash-5.2-static', 'bash'],
    ['lua5.4', 'lua'],
    ['R', 'R'],
    ['Rscript', 'Rscript'],
    ['RUBY', 'ruby'],
    ['r', 'r'],
    ['sh.exe.txt', 'sh.exe.txt'],
    ['7zip', '7zip'],
  ] as const)('%s is %s', ([lead, name]) => {
    expect(nameOf({ index: 0, lead, isFixed: true })).toBe(name)
  })

  test('is not known where a value is part of it', () => {
    expect(nameOf({ index: 0, lead: 'sh', isFixed: false })).toBe('')
  })

  test('of a word is what stands before the first value', () => {
    const word = (source: string): object => {
      const read = parseTemplate(source)
      return read.ok ? toWord(read.template, 3) : read
    }
    expect(word(`a{{{{b${X}c`)).toEqual({ index: 3, lead: 'a{{b', isFixed: false })
    expect(word('a{{{{b')).toEqual({ index: 3, lead: 'a{{b', isFixed: true })
    expect(word(X)).toEqual({ index: 3, lead: '', isFixed: false })
    expect(word('')).toEqual({ index: 3, lead: '', isFixed: true })
  })
})
