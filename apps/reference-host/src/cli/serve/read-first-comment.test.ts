import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { readFirstComment } from './read-first-comment.ts'

function read(text: string | Uint8Array): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-comment-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'script'), text)
  return readFirstComment(join(folder, 'script'))
}

test.for([
  ['a shell script', '#!/bin/sh\n# Counts words.\necho', 'Counts words.'],
  ['a line behind an empty one', '#!/bin/sh\n#\n# Adds.\n', 'Adds.'],
  [
    'two lines',
    '#!/bin/sh\n\n# Counts words,\n# and lines.\n\n# later',
    'Counts words, and lines.',
  ],
  [
    'behind lines for programs',
    '#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n# shellcheck disable=1\n# Adds.\n',
    'Adds.',
  ],
  ['text in three quotes', '#!/usr/bin/env python3\n"""Adds two.\n\nMore.\n"""\n', 'Adds two.'],
  ['a block', '/**\n * Adds two\n * numbers.\n *\n * @param a\n */\n', 'Adds two numbers.'],
  ['two slashes', '#!/usr/bin/env node\n// Adds.\nimport', 'Adds.'],
  ['Lua', '-- Adds.\nprint(1)', 'Adds.'],
  ['Windows line ends', '#!/bin/sh\r\n# Adds.\r\necho', 'Adds.'],
  ['a licence', '# Copyright 2020 Somebody\n', undefined],
  ['no comment', '#!/bin/sh\necho hi\n', undefined],
  ['an empty file', '', undefined],
] as const)('of %s', ([, text, comment]) => {
  expect(read(text)).toBe(comment)
})

test('a binary has no comment, and a long comment is cut', () => {
  expect(read(new Uint8Array([35, 0, 35, 32, 65]))).toBeUndefined()
  expect(read(`# ${'word '.repeat(200)}`)?.length).toBe(400)
})

test('any bytes are read without an error', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void read(bytes)))
})
