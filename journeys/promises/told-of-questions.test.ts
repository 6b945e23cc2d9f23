import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { findOnlyQuestion, readIn, setUpWaiting, SWEEP } from '../stage/waiting.ts'

test('promise questions that wait: a program of the folder learns of each question, after the user has agreed to it', async () => {
  const settings = '[questions]\nnotify = ["sh", "-c", "cat >> told.txt"]\n'
  const { folder } = await setUpWaiting('sweep', settings)
  await toolblocks(folder, 'run', '--park', 'Sweep.')
  const { id, resume } = await findOnlyQuestion(folder)
  expect(JSON.parse(readIn(folder, 'told.txt'))).toMatchObject({
    id,
    tool: 'sweep',
    text: 'Really sweep the harbor?',
    conversation: resume,
  })
})

/** A folder of programs with Node.js and these scripts. */
function makePrograms(scripts: Readonly<Record<string, string>>): string {
  const folder = makeFolder(scripts)
  for (const name of Object.keys(scripts)) chmodSync(join(folder, name), 0o755)
  symlinkSync(process.execPath, join(folder, 'node'))
  return folder
}

// macOS and Windows have other programs for it, which would show something to whoever runs the tests.
test.skipIf(process.platform !== 'linux')(
  'promise questions that wait: the desktop shows each question, and no text of a tool is markup or an option for it',
  async () => {
    const { folder } = await setUpWaiting('sweep', '[questions]\nnotify = "desktop"\n')
    const text = "'--icon=x <b>Really</b>\\\\n sweep?'"
    writeFileSync(join(folder, 'sweep.mjs'), SWEEP.replace("'Really sweep the harbor?'", text))
    const programs = makePrograms({
      'notify-send': '#!/bin/sh\nfor each in "$@"; do printf "[%s]\\n" "$each"; done > "$0.told"\n',
    })
    const environment = { ...process.env, PATH: `${programs}:${process.env['PATH'] ?? ''}` }
    expect((await run(folder, ['run', '--park', 'Sweep.'], environment)).code).toBe(6)
    const { id } = await findOnlyQuestion(folder)
    expect(readIn(programs, 'notify-send.told')).toBe(
      [
        '[--app-name=toolblocks]',
        '[--]',
        '[Toolblocks]',
        '[sweep asks: --icon=x &lt;b&gt;Really&lt;/b&gt;\\\\n sweep?',
        `toolblocks questions answer ${id}]`,
        '',
      ].join('\n'),
    )
  },
)

test.skipIf(process.platform !== 'linux')(
  'promise questions that wait: without a program for the desktop, the questions wait, one warning says so, and doctor names the correction',
  async () => {
    const { folder } = await setUpWaiting('sweep', '[questions]\nnotify = "desktop"\n')
    const environment = { ...process.env, PATH: makePrograms({}) }
    const { code, stderr } = await run(folder, ['run', '--park', 'Sweep.'], environment)
    expect(code).toBe(6)
    expect(stderr.match(/warning: \[questions\] notify: .*notify-send/g)).toHaveLength(1)
    const { stdout } = await run(folder, ['doctor'], environment)
    expect(stdout).toMatch(
      /questions +desktop notifications: the program notify-send does not exist/,
    )
    expect(stdout).toContain('libnotify')
  },
)
