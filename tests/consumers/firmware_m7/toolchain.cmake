# Toolchain file: bare-metal Arm Cortex-M. CPU and FPU choose the core, as -mcpu and -mfpu name them.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CPU FPU)
set(CMAKE_CXX_FLAGS_INIT "-mthumb -mcpu=${CPU} -mfpu=${FPU} -mfloat-abi=hard -fno-exceptions -fno-rtti")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
