import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { findDesktopProblem, planDesktop } from './desktop-notification.ts'

const TEXT = { title: 'Toolblocks', body: `a "b" 'c' $(touch x) <b>&amp; \\033[2J` }

test('notify-send gets the texts as arguments after the options, without markup and escapes', () => {
  expect(planDesktop(TEXT, 'linux')).toEqual({
    program: 'notify-send',
    args: [
      '--app-name=toolblocks',
      '--',
      'Toolblocks',
      `a "b" 'c' $(touch x) &lt;b&gt;&amp;amp; \\\\033[2J`,
    ],
    input: '',
    variables: expect.arrayContaining(['DBUS_SESSION_BUS_ADDRESS']),
  })
})

test('osascript gets the texts as arguments of a fixed script', () => {
  const { program, args } = planDesktop(TEXT, 'darwin')
  expect(program).toBe('osascript')
  expect(args.slice(-2)).toEqual([TEXT.title, TEXT.body])
  const other = planDesktop({ title: 'Toolblocks', body: 'x' }, 'darwin')
  expect(other.args.slice(0, -2)).toEqual(args.slice(0, -2))
})

test('PowerShell gets a fixed script, and the texts as ASCII on standard input', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (body) => {
      const { program, args, input } = planDesktop({ title: 'Toolblocks', body }, 'win32')
      expect(program).toBe('powershell.exe')
      expect(args).toEqual(planDesktop(TEXT, 'win32').args)
      expect(input).toMatch(/^[\u0020-\u007e]*\n$/)
      expect(JSON.parse(input)).toEqual({ title: 'Toolblocks', body })
    }),
  )
  const script = planDesktop(TEXT, 'win32').args.at(-1) ?? ''
  expect(Buffer.from(script, 'base64').toString('utf16le')).toContain('CreateTextNode($said.body)')
})

test('a program that reads options sees none in the texts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-desktop-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'notify-send')
  writeFileSync(file, '#!/bin/sh\nprintf "%s\\n" "$@" > "$0.told"\n')
  chmodSync(file, 0o755)
  const { args } = planDesktop({ title: 'Toolblocks', body: '--icon=/etc/passwd' }, 'linux')
  spawnSync(file, args)
  expect(readFileSync(`${file}.told`, 'utf8')).toBe(
    '--app-name=toolblocks\n--\nToolblocks\n--icon=/etc/passwd\n',
  )
})

test('a missing program, and a session without a desktop, are problems with a correction', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-desktop-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const linux = { platform: 'linux', environment: { PATH: folder } } as const
  expect(findDesktopProblem('/', linux)).toMatchObject({
    message: expect.stringContaining('notify-send does not exist'),
    fix: expect.stringContaining('libnotify'),
  })
  expect(findDesktopProblem('/', { ...linux, platform: 'darwin' })?.message).toContain('osascript')
  writeFileSync(join(folder, 'notify-send'), '#!/bin/sh\n')
  chmodSync(join(folder, 'notify-send'), 0o755)
  expect(findDesktopProblem('/', linux)?.message).toContain('no desktop')
  const environment = { PATH: folder, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x' }
  expect(findDesktopProblem('/', { ...linux, environment })).toBeUndefined()
})
