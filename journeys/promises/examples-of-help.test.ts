import { chmodSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { run, startToolblocks, toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'

/** Reads the examples of a help, in their order, as the words after `toolblocks`. */
async function readExamples(folder: string, ...args: readonly string[]) {
  const { stdout } = await toolblocks(folder, ...args, '--help')
  const lines = [...stdout.matchAll(/^ {2}toolblocks (.+?)(?: {2,}.*)?$/gm)]
  return lines.map(([, line = '']) =>
    [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ''),
  )
}

test('promise first hour: the examples of --help and of serve --help work as they are written, one after another', async () => {
  const folder = makeFolder({ 'bin/xdg-open': '#!/bin/sh\n', 'bin/open': '#!/bin/sh\n' })
  for (const name of ['xdg-open', 'open']) chmodSync(join(folder, 'bin', name), 0o755)
  const environment = {
    PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`,
    HOME: folder,
    USERPROFILE: folder,
  }
  const examples = await readExamples(folder)
  const commands = ['demo', 'new', 'call', 'call', 'serve', 'view']
  expect(examples.map(([command]) => command)).toEqual(commands)
  for (const commandLine of examples) {
    if (commandLine[0] === 'view') continue
    const { code, stdout, stderr } = await run(folder, commandLine, {
      ...process.env,
      ...environment,
    })
    expect(code, `${commandLine.join(' ')}: ${stderr}`).toBe(0)
    expect([stdout, stderr].join('')).toMatch(
      commandLine[0] === 'call'
        ? /^Hello, Ada!$/m
        : commandLine[0] === 'serve'
          ? /Serving 1 tool /
          : /./,
    )
  }
  const view = startToolblocks(folder, ['view'], environment)
  await view.said(/Ctrl-C ends the server/)
  await view.end('SIGINT')

  // The others name servers that only stand for those of the reader.
  const [install = []] = (await readExamples(folder, 'serve')).filter(
    (commandLine) => !commandLine.includes('--server'),
  )
  const installed = await run(folder, [...install, '--yes'], { ...process.env, ...environment })
  expect([installed.code, installed.stderr]).toEqual([0, ''])
  expect(installed.stdout).toContain('greet')
})
