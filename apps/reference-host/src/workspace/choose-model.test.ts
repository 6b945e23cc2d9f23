import { expect, test } from 'vitest'
import type { ModelConfiguration } from './configuration/table-schemas.ts'
import { parseConfiguration } from './configuration/parse-configuration.ts'
import { type ChosenModel, chooseModel } from './choose-model.ts'

/** Returns the model for these settings of a folder and of the user. */
async function choose(
  folder: string,
  own: ModelConfiguration | undefined,
  isAgreed: boolean,
): Promise<ChosenModel> {
  const parsed = await parseConfiguration(folder, '/w/toolblocks.toml')
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const written = { configuration: parsed.configuration, servers: [] }
  const { model, ...rest } = parsed.configuration
  const configuration = { ...rest, ...(model && isAgreed && { model }) }
  const settings = own ? { model: own } : {}
  return chooseModel({ configuration, written, isAgreed: () => isAgreed, settings })
}

const OF_FOLDER = '[model]\nprovider = "google"\nname = "of the folder"\n'
const OF_USER = { provider: 'openai', name: 'of the user', max_output_tokens: 9 } as const

test('the model of the folder replaces the model of the user completely', async () => {
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

test('a model of the folder without agreement is not used, and the user’s model does not replace it', async () => {
  expect(await choose(OF_FOLDER, OF_USER, false)).toEqual({
    ok: false,
    message: expect.stringMatching(
      /^\/w\/toolblocks\.toml:1: model: the model is not used, because you have not agreed to it: /,
    ),
    code: 3,
  })
})
