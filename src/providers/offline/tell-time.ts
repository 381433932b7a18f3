/** What `time.now` answered, in the time of the place that was asked about. */
export function tellTime(rfc3339: string, question: string): string {
  const place = /\bin\s+([\p{L}][\p{L} ._/-]{1,59}?)[\s.!?]*$/iu.exec(question)?.[1];
  if (place === undefined || /^(?:here|utc)$/i.test(place)) return `It is ${rfc3339}.`;
  const zone = findZone(place);
  if (zone === undefined) return `It is ${rfc3339}. I know no time zone called ${place}.`;
  return `It is ${toLocal(Date.parse(rfc3339), zone)} in ${zone} (${rfc3339}).`;
}

/** `Europe/Berlin` of `Berlin`: zones are named after a city of theirs. */
function findZone(place: string): string | undefined {
  const wanted = toPlain(place);
  const zones = Intl.supportedValuesOf('timeZone');
  return zones.find(
    (zone) => toPlain(zone) === wanted || toPlain(zone.replace(/^.*\//, '')) === wanted,
  );
}

function toPlain(name: string): string {
  return name
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')
    .trim();
}

function toLocal(ms: number, timeZone: string): string {
  // Swedes write dates as ISO 8601 does.
  const options = { timeZone, dateStyle: 'short', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat('sv-SE', options).format(ms);
}
