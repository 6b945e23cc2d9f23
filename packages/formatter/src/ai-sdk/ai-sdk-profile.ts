import type { ModelProfile } from '../model-parts/model-profile.ts'
import {
  anthropicProfile,
  google2Profile,
  googleProfile,
  openaiChatProfile,
  openaiCompatibleProfile,
  openaiResponsesProfile,
} from '../model-parts/profiles.ts'

/** What the adapters of the AI SDK cannot write, though the provider would take it. */
const IN_AI_SDK = { inFailedResults: false }

/** What a language model of the AI SDK takes, by its `provider` (such as `google.generative-ai`) and `modelId`. */
export function aiSdkProfile({
  provider,
  modelId,
}: {
  provider: string
  modelId: string
}): ModelProfile {
  const profile = profileOf(provider, modelId)
  return { ...profile, ...IN_AI_SDK }
}

function profileOf(provider: string, modelId: string): ModelProfile {
  const [vendor = '', api = ''] = provider.split('.')
  switch (vendor) {
    case 'anthropic':
      return anthropicProfile
    case 'openai':
    case 'azure':
      return api === 'responses' ? openaiResponsesProfile : openaiChatProfile
    case 'google':
      // The adapter draws the same line.
      return /gemini-[12][.-]/.test(modelId) || !modelId.includes('gemini')
        ? google2Profile
        : googleProfile
    default:
      return openaiCompatibleProfile
  }
}
