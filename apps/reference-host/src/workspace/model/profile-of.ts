import type { ModelProfile } from '@toolblocks/formatter'
import type { ModelConfiguration } from '../configuration/configuration.ts'

/** What the configured model takes, without asking its provider; `undefined` where nothing is configured or a script answers. */
export async function profileOf(
  model: ModelConfiguration | undefined,
): Promise<ModelProfile | undefined> {
  const provider = model?.provider && CLIENTS[model.provider]
  if (provider === undefined) return undefined
  const { aiSdkProfile } = await import('@toolblocks/formatter/ai-sdk')
  return aiSdkProfile({ provider, modelId: model?.name ?? '' })
}

/** How the clients of `openModel` call themselves. */
const CLIENTS: Readonly<Record<NonNullable<ModelConfiguration['provider']>, string | undefined>> = {
  anthropic: 'anthropic.messages',
  openai: 'openai.responses',
  google: 'google.generative-ai',
  'openai-compatible': 'compatible.chat',
  scripted: undefined,
}
