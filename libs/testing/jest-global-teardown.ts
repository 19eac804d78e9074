module.exports = async function stopCluster(): Promise<void> {
  await globalThis.testCluster?.close();
};
