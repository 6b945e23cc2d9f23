import { SettledElsewhere } from '@toolblocks/inquiry/pending'
import { describeSettled } from '../describe-question.ts'
import type { AskedPeople } from '../share-screen.ts'
import type { Terminal } from '../terminal.ts'

/** Returns the same functions. If a question is settled elsewhere while its prompt is open, a line below the closed prompt says how and where. */
export function reportSettled(
  { user, approve }: AskedPeople,
  terminal: Pick<Terminal, 'note' | 'style' | 'sanitize'>,
): AskedPeople {
  const report = ({ aborted, reason }: AbortSignal): void => {
    if (aborted && reason instanceof SettledElsewhere)
      terminal.note(terminal.sanitize(describeSettled(reason.question)))
  }
  return {
    ...(user && {
      user: async (request, context) => {
        const answer = await user(request, context)
        report(context.signal)
        return answer
      },
    }),
    ...(approve && {
      approve: async (call, material) => {
        const approval = await approve(call, material)
        report(material.signal)
        return approval
      },
    }),
  }
}
