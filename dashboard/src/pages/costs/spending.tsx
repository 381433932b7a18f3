export function Spending() {
  return null;
}
