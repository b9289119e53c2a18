/* SPDX-License-Identifier: MIT
 *
 * Compute shaders with three storage buffers, words, output and coordinates, in groups of 64 along
 * x.
 */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum { SHADERS = 3 };

static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queue;
static VkDescriptorSetLayout set_layout;
static VkPipelineLayout layout;
static VkDescriptorSet set;
static VkCommandBuffer commands;
static void *words_memory, *out_memory, *coords_memory;
static VkBuffer coords_buffer;
static struct {
  const char *name, *entry;
  VkShaderModule module;
  VkPipeline pipeline; /* made when it is first used */
} shaders[SHADERS] = {{.name = "fill"}, {.name = "selftest"}, {.name = "points"}};

static void check(VkResult result, const char *call) {
  if (result == VK_SUCCESS)
    return;
  printf("%s: error %d\n", call, (int)result);
  exit(1);
}
#define CHECK(call) check(call, #call)

static VkBuffer make_buffer(size_t bytes, void **mapped) {
  const VkMemoryPropertyFlags wanted =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkBuffer buffer;
  VkDeviceMemory memory;
  VkMemoryRequirements needs;
  VkPhysicalDeviceMemoryProperties kinds;
  CHECK(vkCreateBuffer(device,
                       &(VkBufferCreateInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                             .size = bytes,
                                             .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT},
                       NULL, &buffer));
  vkGetBufferMemoryRequirements(device, buffer, &needs);
  vkGetPhysicalDeviceMemoryProperties(physical, &kinds);
  uint32_t kind = 0;
  while (!(needs.memoryTypeBits >> kind & 1) ||
         (kinds.memoryTypes[kind].propertyFlags & wanted) != wanted)
    kind++;
  CHECK(vkAllocateMemory(device,
                         &(VkMemoryAllocateInfo){.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                                 .allocationSize = needs.size,
                                                 .memoryTypeIndex = kind},
                         NULL, &memory));
  CHECK(vkBindBufferMemory(device, buffer, memory, 0));
  CHECK(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, mapped));
  return buffer;
}

/* Returns the module, or VK_NULL_HANDLE if there is no such file. */
static VkShaderModule load(const char *path) {
  static uint32_t code[1 << 18];
  FILE *file = fopen(path, "rb");
  const size_t bytes = file ? fread(code, 1, sizeof code, file) : 0;
  if (!file || fclose(file) != 0 || bytes == 0 || bytes == sizeof code)
    return VK_NULL_HANDLE;
  VkShaderModule module;
  CHECK(vkCreateShaderModule(
      device,
      &(VkShaderModuleCreateInfo){
          .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes, .pCode = code},
      NULL, &module));
  return module;
}

/* Shaders see the length of a binding. */
static void bind(uint32_t binding, VkBuffer buffer, VkDeviceSize bytes) {
  vkUpdateDescriptorSets(
      device, 1,
      &(VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                              .dstSet = set,
                              .dstBinding = binding,
                              .descriptorCount = 1,
                              .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                              .pBufferInfo = &(VkDescriptorBufferInfo){buffer, 0, bytes}},
      0, NULL);
}

/* Opens the first device, once. */
static const char *open_device(void) {
  VkInstance instance;
  uint32_t one = 1;
  if (device)
    return NULL;
  const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                         .apiVersion = VK_API_VERSION_1_2};
  if (vkCreateInstance(&(VkInstanceCreateInfo){.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                               .pApplicationInfo = &application},
                       NULL, &instance) != VK_SUCCESS ||
      vkEnumeratePhysicalDevices(instance, &one, &physical) < 0 || one == 0)
    return "Vulkan has no device";
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  printf("Vulkan: %s\n", properties.deviceName);
  const float priority = 1;
  const VkDeviceQueueCreateInfo family = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                          .queueCount = 1,
                                          .pQueuePriorities = &priority};
  CHECK(vkCreateDevice(physical,
                       &(VkDeviceCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                             .queueCreateInfoCount = 1,
                                             .pQueueCreateInfos = &family},
                       NULL, &device));
  vkGetDeviceQueue(device, 0, 0, &queue);
  const VkDescriptorSetLayoutBinding bindings[3] = {
      {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
      {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
      {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
  CHECK(
      vkCreateDescriptorSetLayout(device,
                                  &(VkDescriptorSetLayoutCreateInfo){
                                      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                      .bindingCount = 3,
                                      .pBindings = bindings},
                                  NULL, &set_layout));
  CHECK(vkCreatePipelineLayout(
      device,
      &(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                    .setLayoutCount = 1,
                                    .pSetLayouts = &set_layout},
      NULL, &layout));
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3};
  VkDescriptorPool pool;
  CHECK(vkCreateDescriptorPool(
      device,
      &(VkDescriptorPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                    .maxSets = 1,
                                    .poolSizeCount = 1,
                                    .pPoolSizes = &size},
      NULL, &pool));
  CHECK(vkAllocateDescriptorSets(
      device,
      &(VkDescriptorSetAllocateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                     .descriptorPool = pool,
                                     .descriptorSetCount = 1,
                                     .pSetLayouts = &set_layout},
      &set));
  const VkBuffer buffers[2] = {make_buffer(4 * (size_t)MAX_WORDS, &words_memory),
                               make_buffer(4 * (size_t)MAX_SAMPLES, &out_memory)};
  coords_buffer = make_buffer(12 * (size_t)MAX_SAMPLES, &coords_memory);
  for (uint32_t i = 0; i < 2; i++)
    bind(i, buffers[i], VK_WHOLE_SIZE);
  VkCommandPool command_pool;
  CHECK(vkCreateCommandPool(
      device,
      &(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                 .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT},
      NULL, &command_pool));
  CHECK(vkAllocateCommandBuffers(
      device,
      &(VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                     .commandPool = command_pool,
                                     .commandBufferCount = 1},
      &commands));
  return NULL;
}

const char *vulkan_open(const char *folder, const char *name) {
  const char *missing = open_device();
  for (int i = 0; i < SHADERS && !missing; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s_%s.spv", folder, name, shaders[i].name);
    shaders[i].module = load(path);
    shaders[i].entry = strncmp(name, "glsl", 4) == 0 ? "main" : shaders[i].name;
    shaders[i].pipeline = VK_NULL_HANDLE;
    if (!shaders[i].module)
      return "its shaders were not compiled";
  }
  return missing;
}

static void make_pipeline(int i) {
  const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = shaders[i].module,
                .pName = shaders[i].entry},
      .layout = layout};
  CHECK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &shaders[i].pipeline));
}

void vulkan_run(const char *shader, const uint32_t *words, size_t count, const float *coords,
                void *out, size_t bytes) {
  const size_t coord_bytes = coords ? words[1] * bytes : 4;
  int i = 0;
  while (strcmp(shader, shaders[i].name) != 0)
    i++;
  if (!shaders[i].pipeline)
    make_pipeline(i);
  if (coords)
    memcpy(coords_memory, coords, coord_bytes);
  bind(2, coords_buffer, coord_bytes);
  memcpy(words_memory, words, 4 * count);
  memset(out_memory, 0, bytes);
  CHECK(vkBeginCommandBuffer(
      commands, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, shaders[i].pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
  const uint32_t n = coords ? (uint32_t)(bytes / 4) : words[2];
  vkCmdDispatch(commands, (n + 63) / 64, coords ? 1 : (words[3] + 7) / 8, words[4] ? words[4] : 1);
  CHECK(vkEndCommandBuffer(commands));
  CHECK(vkQueueSubmit(queue, 1,
                      &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                      .commandBufferCount = 1,
                                      .pCommandBuffers = &commands},
                      VK_NULL_HANDLE));
  CHECK(vkQueueWaitIdle(queue));
  memcpy(out, out_memory, bytes);
}
