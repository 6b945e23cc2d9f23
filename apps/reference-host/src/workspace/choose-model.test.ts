import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseConfiguration } from '../configuration/parse-configuration.ts'
import { type ChosenModel, chooseModel } from './choose-model.ts'

/** The model where a folder and the user have these settings. */
async function choose(
  folder: string,
  own: string | undefined,
  isAgreed: boolean,
): Promise<ChosenModel> {
  const home = mkdtempSync(join(tmpdir(), 'toolblocks-model-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  vi.stubEnv('XDG_CONFIG_HOME', home)
  onTestFinished(() => void vi.unstubAllEnvs())
  mkdirSync(join(home, 'toolblocks'))
  if (own !== undefined) writeFileSync(join(home, 'toolblocks/config.toml'), own)
  const parsed = await parseConfiguration(folder, '/w/toolblocks.toml')
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const written = { configuration: parsed.configuration, servers: [] }
  const { model, ...rest } = parsed.configuration
  const configuration = { ...rest, ...(model && isAgreed && { model }) }
  return await chooseModel({ configuration, written, isAgreed: () => isAgreed })
}

const OF_FOLDER = '[model]\nprovider = "google"\nname = "of the folder"\n'
const OF_USER = '[model]\nprovider = "openai"\nname = "of the user"\nmax_output_tokens = 9\n'

test('the model of the folder counts before that of the user, each as a whole', async () => {
  expect(await choose(OF_FOLDER, OF_USER, true)).toEqual({
    ok: true,
    model: { provider: 'google', name: 'of the folder' },
  })
  expect(await choose('', OF_USER, false)).toEqual({
    ok: true,
    model: { provider: 'openai', name: 'of the user', max_output_tokens: 9 },
  })
  expect(await choose('', undefined, false)).toEqual({ ok: true, model: undefined })
})

test('a model of the folder that nobody has agreed to is none, and the user’s does not take its place', async () => {
  expect(await choose(OF_FOLDER, OF_USER, false)).toEqual({
    ok: false,
    message: expect.stringMatching(
      /^\/w\/toolblocks\.toml:1: model: the model is not asked, because you have not agreed to it: /,
    ),
    code: 3,
  })
})

test('settings of the user that cannot be read are told at their place', async () => {
  expect(await choose('', '[model]\nprovider = 1\n', false)).toEqual({
    ok: false,
    message: expect.stringMatching(/config\.toml:2: model\.provider: expected /),
    code: 2,
  })
})
