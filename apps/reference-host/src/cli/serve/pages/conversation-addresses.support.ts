/** Returns the addresses of the pages that show something of a conversation or a question. */
export function listAddresses(conversation: string, question: string): readonly string[] {
  return [
    `conversation?id=${conversation}`,
    `conversation?id=${conversation}&at=2&model-view`,
    `event?id=${conversation}&at=2`,
    `events?id=${conversation}&from=1`,
    `export?id=${conversation}`,
    `export?id=${conversation}&as=html`,
    `totals?id=${conversation}`,
    `outline?id=${conversation}`,
    `search?q=mark&in=${conversation}`,
    `question?id=${question}`,
    `question?id=${question}&part`,
  ]
}
